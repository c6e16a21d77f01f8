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

/** Rejects an instance with a value further than z(1 − α/2) standard deviations from the mean of its leaf. */
public class ID3SD extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_LIMITS = Options.tags("normal", "tolerance");
  public static final Tag[] TAGS_ZERO_VARIANCE = Options.tags("exact", "accept", "parent");

  private String alpha = "none";
  private String pTotal = "none";
  private String limits = "normal";
  private double confidence = 0.95;
  private double trim = 0.0;
  private String zeroVariance = "exact";
  private String ordered = "";

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
    options.add("-limits");
    options.add(limits);
    options.add("-confidence");
    options.add(Options.text(confidence));
    options.add("-trim");
    options.add(Options.text(trim));
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
    options.add(new Option("\tα, the probability that a numeric attribute of a member of the leaf"
        + "\n\tlies outside its limits; none: .05, or the value that follows from"
        + "\n\tp_total. (default: none)",
        "alpha", 1, "-alpha <number|none>"));
    options.add(new Option("\tProbability that all N numeric attributes of a member lie inside: α ="
        + "\n\t1 − p_total^(1/N). (default: none)",
        "p_total", 1, "-p_total <number|none>"));
    options.add(new Option("\tnormal: m ± z · s. tolerance, the paper's first idea: limits that with"
        + "\n\tthe probability confidence hold a share 1 − α of the members; s is"
        + "\n\tmultiplied by Howe's √((n − 1)(1 + 1/n) / χ²), with the (1 −"
        + "\n\tconfidence)-quantile of χ² with n − 1 degrees of freedom. (default:"
        + "\n\tnormal)",
        "limits", 1, "-limits <normal|tolerance>"));
    options.add(new Option("\tProbability that the tolerance limits hold the share 1 − α of the"
        + "\n\tmembers. (default: 0.95)",
        "confidence", 1, "-confidence <number>"));
    options.add(new Option("\tLeave out instances with a value outside the limits at α = trim, once,"
        + "\n\tbefore the limits are computed, unless none would remain; 0 keeps all."
        + "\n\t(default: 0.0)",
        "trim", 1, "-trim <number>"));
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
    setAlpha(Options.text("none", Utils.getOption("alpha", options)));
    setPTotal(Options.text("none", Utils.getOption("p_total", options)));
    limits = Options.choice(TAGS_LIMITS, "normal", "limits", Utils.getOption("limits", options));
    setConfidence(Options.number(0.95, "confidence", Utils.getOption("confidence", options)));
    setTrim(Options.number(0.0, "trim", Utils.getOption("trim", options)));
    zeroVariance = Options.choice(TAGS_ZERO_VARIANCE, "exact", "zero_variance", Utils.getOption("zero_variance", options));
    setOrdered(Options.text("", Utils.getOption("ordered", options)));
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

  public SelectedTag getLimits() {
    return Options.selected(TAGS_LIMITS, limits);
  }

  public void setLimits(SelectedTag selected) {
    limits = Options.choice(TAGS_LIMITS, "normal", "limits",
        selected.getSelectedTag().getReadable());
  }

  public String limitsTipText() {
    return "normal: m ± z · s. tolerance, the paper's first idea: limits that with the probability "
        + "confidence hold a share 1 − α of the members; s is multiplied by Howe's √((n − 1)(1 + 1/n)"
        + " / χ²), with the (1 − confidence)-quantile of χ² with n − 1 degrees of freedom.";
  }

  public double getConfidence() {
    return confidence;
  }

  public void setConfidence(double confidence) {
    Options.check("confidence", confidence, 0.0, 1.0, true,
        "a number between 0 and 1, both excluded");
    this.confidence = confidence;
  }

  public String confidenceTipText() {
    return "Probability that the tolerance limits hold the share 1 − α of the members.";
  }

  public double getTrim() {
    return trim;
  }

  public void setTrim(double trim) {
    Options.check("trim", trim, 0.0, 1.0, false,
        "a number from 0 to 1");
    this.trim = trim;
  }

  public String trimTipText() {
    return "Leave out instances with a value outside the limits at α = trim, once, before the limits "
        + "are computed, unless none would remain; 0 keeps all.";
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
