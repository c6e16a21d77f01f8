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

/** A tree by information gain, TPCE's plain tree. */
public class InfoGain extends PythonTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_CUTS = Options.tags("class-boundary", "with-x", "all");

  private String cuts = "class-boundary";
  private boolean safePrune = true;
  private double minWeight = 2.0;
  private double minGain = 1e-06;
  private boolean laplace = false;

  public static void main(String[] options) {
    runClassifier(new InfoGain(), options);
  }

  public String globalInfo() {
    return "A tree by information gain, TPCE's plain tree." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.INPROCEEDINGS);
    information.setValue(Field.AUTHOR, "Costa, Eduardo P. and Verwer, Sicco and Blockeel, Hendrik");
    information.setValue(Field.TITLE, "Estimating Prediction Certainty in Decision Trees");
    information.setValue(Field.BOOKTITLE, "Advances in Intelligent Data Analysis XII (IDA)");
    information.setValue(Field.PUBLISHER, "Springer");
    information.setValue(Field.PAGES, "138-149");
    information.setValue(Field.YEAR, "2013");
    return information;
  }

  @Override
  protected String pythonName() {
    return "info_gain";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-cuts");
    options.add(cuts);
    options.add("-safe_prune");
    options.add(String.valueOf(safePrune));
    options.add("-min_weight");
    options.add(Options.text(minWeight));
    options.add("-min_gain");
    options.add(Options.text(minGain));
    options.add("-laplace");
    options.add(String.valueOf(laplace));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tWhere to cut a number: between neighbouring values that are not both"
        + "\n\tof one class, or at every value; with-x equals all in a tree that is"
        + "\n\tnot grown for an instance. (default: class-boundary)",
        "cuts", 1, "-cuts <class-boundary|with-x|all>"));
    options.add(new Option("\tWhether a node whose leaves all predict one class becomes a leaf."
        + "\n\t(default: true)",
        "safe_prune", 1, "-safe_prune <true|false>"));
    options.add(new Option("\tSmallest summed weight of either branch, of instances whose value is"
        + "\n\tknown. (default: 2.0)",
        "min_weight", 1, "-min_weight <number>"));
    options.add(new Option("\tSmallest gain of a split, in bits. (default: 1e-06)",
        "min_gain", 1, "-min_gain <number>"));
    options.add(new Option("\tWhether leaves answer (count + 1) / (sum + n_classes) instead of count"
        + "\n\t/ sum. (default: false)",
        "laplace", 1, "-laplace <true|false>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    cuts = Options.choice(TAGS_CUTS, "class-boundary", "cuts", Utils.getOption("cuts", options));
    setSafePrune(Options.flag(true, "safe_prune", Utils.getOption("safe_prune", options)));
    setMinWeight(Options.number(2.0, "min_weight", Utils.getOption("min_weight", options)));
    setMinGain(Options.number(1e-06, "min_gain", Utils.getOption("min_gain", options)));
    setLaplace(Options.flag(false, "laplace", Utils.getOption("laplace", options)));
  }

  public SelectedTag getCuts() {
    return Options.selected(TAGS_CUTS, cuts);
  }

  public void setCuts(SelectedTag selected) {
    cuts = Options.choice(TAGS_CUTS, "class-boundary", "cuts",
        selected.getSelectedTag().getReadable());
  }

  public String cutsTipText() {
    return "Where to cut a number: between neighbouring values that are not both of one class, or at "
        + "every value; with-x equals all in a tree that is not grown for an instance.";
  }

  public boolean getSafePrune() {
    return safePrune;
  }

  public void setSafePrune(boolean safePrune) {
    this.safePrune = safePrune;
  }

  public String safePruneTipText() {
    return "Whether a node whose leaves all predict one class becomes a leaf.";
  }

  public double getMinWeight() {
    return minWeight;
  }

  public void setMinWeight(double minWeight) {
    Options.check("min_weight", minWeight, 0.0, Double.POSITIVE_INFINITY, false,
        "a number of at least 0");
    this.minWeight = minWeight;
  }

  public String minWeightTipText() {
    return "Smallest summed weight of either branch, of instances whose value is known.";
  }

  public double getMinGain() {
    return minGain;
  }

  public void setMinGain(double minGain) {
    Options.check("min_gain", minGain, 1e-12, Double.POSITIVE_INFINITY, false,
        "a number of at least 1e-12");
    this.minGain = minGain;
  }

  public String minGainTipText() {
    return "Smallest gain of a split, in bits.";
  }

  public boolean getLaplace() {
    return laplace;
  }

  public void setLaplace(boolean laplace) {
    this.laplace = laplace;
  }

  public String laplaceTipText() {
    return "Whether leaves answer (count + 1) / (sum + n_classes) instead of count / sum.";
  }
}
