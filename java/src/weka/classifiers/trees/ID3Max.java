// Written by scripts/build_classifiers.py; change the Python class and run that instead.

package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.List;
import weka.core.Option;
import weka.core.TechnicalInformation;
import weka.core.TechnicalInformation.Field;
import weka.core.TechnicalInformation.Type;
import weka.core.TechnicalInformationHandler;
import weka.core.Utils;

/** Rejects an instance with a value below the smallest or above the largest of the training instances of its leaf. */
public class ID3Max extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public enum Closed {
    both("both"),
    lower("lower"),
    upper("upper"),
    neither("neither");

    private final String asWritten;

    Closed(String asWritten) {
      this.asWritten = asWritten;
    }

    @Override
    public String toString() {
      return asWritten;
    }
  }

  public enum ZeroVariance {
    exact("exact"),
    accept("accept"),
    parent("parent");

    private final String asWritten;

    ZeroVariance(String asWritten) {
      this.asWritten = asWritten;
    }

    @Override
    public String toString() {
      return asWritten;
    }
  }

  private Closed closed = Closed.both;
  private ZeroVariance zeroVariance = ZeroVariance.exact;
  private String ordered = "";

  public ID3Max() {
    super(new J48(), "-U", "-M", "1");
  }

  @Override
  protected boolean readsEnsembles() {
    return false;
  }

  public static void main(String[] options) {
    runClassifier(new ID3Max(), options);
  }

  public String globalInfo() {
    return "Rejects an instance with a value below the smallest or above the largest of the training "
        + "instances of its leaf." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.1.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.UNPUBLISHED);
    information.setValue(Field.AUTHOR, "Davidsson, Paul");
    information.setValue(Field.TITLE, "Learning Characteristic Decision Trees");
    information.setValue(Field.YEAR, "1996");
    return information;
  }

  @Override
  protected String pythonName() {
    return "id3_max";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-closed");
    options.add(String.valueOf(closed));
    options.add("-zero_variance");
    options.add(String.valueOf(zeroVariance));
    if (!ordered.isEmpty()) {
      options.add("-ordered");
      options.add(ordered);
    }
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tWhich of the two limits are themselves accepted; a single value always"
        + "\n\tis. (default: both)",
        "closed", 1, "-closed <both|lower|upper|neither>"));
    options.add(new Option("\tIf a leaf has one instance, or all its values of an attribute are"
        + "\n\tequal: accept only this value (exact), do not test the attribute"
        + "\n\t(accept), or use the limits of the nearest ancestor where values"
        + "\n\tdiffer (parent; not tested if there is none). A leaf without instances"
        + "\n\tthen rejects everything, tests nothing, or has the limits of its"
        + "\n\tnearest ancestor with instances. (default: exact)",
        "zero_variance", 1, "-zero_variance <exact|accept|parent>"));
    options.add(new Option("\tNominal attributes whose declared order counts, joined by + in one"
        + "\n\ttext: values between the first and the last that occur in the leaf are"
        + "\n\taccepted. For other nominal attributes only values that occur are."
        + "\n\t(default: none)",
        "ordered", 1, "-ordered <text>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setClosed(Options.choice(Closed.values(), Closed.both, "closed", Utils.getOption("closed", options)));
    setZeroVariance(Options.choice(ZeroVariance.values(), ZeroVariance.exact, "zero_variance", Utils.getOption("zero_variance", options)));
    setOrdered(Options.text("", Utils.getOption("ordered", options)));
  }

  public Closed getClosed() {
    return closed;
  }

  public void setClosed(Closed closed) {
    this.closed = closed;
  }

  public String closedTipText() {
    return "Which of the two limits are themselves accepted; a single value always is.";
  }

  public ZeroVariance getZeroVariance() {
    return zeroVariance;
  }

  public void setZeroVariance(ZeroVariance zeroVariance) {
    this.zeroVariance = zeroVariance;
  }

  public String zeroVarianceTipText() {
    return "If a leaf has one instance, or all its values of an attribute are equal: accept only this "
        + "value (exact), do not test the attribute (accept), or use the limits of the nearest "
        + "ancestor where values differ (parent; not tested if there is none). A leaf without "
        + "instances then rejects everything, tests nothing, or has the limits of its nearest "
        + "ancestor with instances.";
  }

  public String getOrdered() {
    return ordered;
  }

  public void setOrdered(String ordered) {
    this.ordered = ordered;
  }

  public String orderedTipText() {
    return "Nominal attributes whose declared order counts, joined by + in one text: values between "
        + "the first and the last that occur in the leaf are accepted. For other nominal attributes "
        + "only values that occur are.";
  }
}
