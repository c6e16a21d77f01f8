// Written by scripts/build_classifiers.py; change the Python class and run that instead.

package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.List;
import weka.core.Option;
import weka.core.SelectedTag;
import weka.core.Tag;
import weka.core.TechnicalInformation;
import weka.core.TechnicalInformation.Field;
import weka.core.TechnicalInformation.Type;
import weka.core.TechnicalInformationHandler;
import weka.core.Utils;

/** Rejects an instance with a value below the smallest or above the largest of the training instances of its leaf. */
public class ID3Max extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_CLOSED = Options.tags("both", "lower", "upper", "neither");
  public static final Tag[] TAGS_ZERO_VARIANCE = Options.tags("exact", "accept", "parent");

  private String closed = "both";
  private String zeroVariance = "exact";
  private String ordered = "";

  public ID3Max() {
    super(new J48(), "-U", "-M", "1");
  }

  @Override
  protected String certainty() {
    return "1 inside all limits of the leaf, else 0; with missing values a mean of these, in [0, 1]";
  }

  @Override
  protected String usualRejection() {
    return "the rule of the method, where it has one";
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
    return "0.2.0";
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
    options.add(closed);
    options.add("-zero_variance");
    options.add(zeroVariance);
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
    closed = Options.choice(TAGS_CLOSED, "both", "closed", Utils.getOption("closed", options));
    zeroVariance = Options.choice(TAGS_ZERO_VARIANCE, "exact", "zero_variance", Utils.getOption("zero_variance", options));
    setOrdered(Options.text("", Utils.getOption("ordered", options)));
  }

  public SelectedTag getClosed() {
    return Options.selected(TAGS_CLOSED, closed);
  }

  public void setClosed(SelectedTag selected) {
    closed = Options.choice(TAGS_CLOSED, "both", "closed",
        selected.getSelectedTag().getReadable());
  }

  public String closedTipText() {
    return "Which of the two limits are themselves accepted; a single value always is.";
  }

  public SelectedTag getZeroVariance() {
    return Options.selected(TAGS_ZERO_VARIANCE, zeroVariance);
  }

  public void setZeroVariance(SelectedTag selected) {
    zeroVariance = Options.choice(TAGS_ZERO_VARIANCE, "exact", "zero_variance",
        selected.getSelectedTag().getReadable());
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
