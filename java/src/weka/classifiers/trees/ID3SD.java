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

/** Rejects an instance with a value further than z(1 − α/2) standard deviations from the mean of its leaf. */
public class ID3SD extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  private String alpha = "none";
  private String pTotal = "none";

  public ID3SD() {
    super(new J48(), "-U", "-M", "1");
  }

  @Override
  protected String certainty() {
    return "the smallest two-sided tail probability of the values in their leaf, to be compared with "
      + "α, in [0, 1]";
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
    runClassifier(new ID3SD(), options);
  }

  public String globalInfo() {
    return "Rejects an instance with a value further than z(1 − α/2) standard deviations from the mean"
        + " of its leaf." + " For more, see\n\n" + getTechnicalInformation();
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
    return "id3_sd";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-alpha");
    options.add(alpha);
    options.add("-p_total");
    options.add(pTotal);
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tα, the probability that a numeric attribute of a member of the leaf"
        + "\n\tlies outside its limits; none: .05, or the value that follows from"
        + "\n\tp_total. (default: none)",
        "alpha", 1, "-alpha <number|none>"));
    options.add(new Option("\tProbability that all N numeric attributes of a member lie inside: α ="
        + "\n\t1 − p_total^(1/N). (default: none)",
        "p_total", 1, "-p_total <number|none>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setAlpha(Options.text("none", Utils.getOption("alpha", options)));
    setPTotal(Options.text("none", Utils.getOption("p_total", options)));
  }

  public String getAlpha() {
    return alpha;
  }

  public void setAlpha(String alpha) {
    Options.checkOrNone("alpha", alpha, 0.0, 1.0, true,
        "a number between 0 and 1, both excluded, or none");
    this.alpha = alpha;
  }

  public String alphaTipText() {
    return "α, the probability that a numeric attribute of a member of the leaf lies outside its "
        + "limits; none: .05, or the value that follows from p_total.";
  }

  public String getPTotal() {
    return pTotal;
  }

  public void setPTotal(String pTotal) {
    Options.checkOrNone("p_total", pTotal, 0.0, 1.0, true,
        "a number between 0 and 1, both excluded, or none");
    this.pTotal = pTotal;
  }

  public String PTotalTipText() {
    return "Probability that all N numeric attributes of a member lie inside: α = 1 − p_total^(1/N).";
  }
}
