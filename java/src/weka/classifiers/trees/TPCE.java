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

/** Transductive prediction certainty estimation. */
public class TPCE extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_CUTS = Options.tags("class-boundary", "with-x", "all", "none");

  private String cuts = "none";
  private double alpha = 1.0;
  private String inner = "info_gain";
  private boolean batch = false;
  private long seed = 1L;

  public TPCE() {
    super(new InfoGain());
  }

  @Override
  protected String certainty() {
    return "the probability of the predicted class, in [1/n_classes, 1]";
  }

  @Override
  protected boolean readsEnsembles() {
    return false;
  }

  public static void main(String[] options) {
    runClassifier(new TPCE(), options);
  }

  public String globalInfo() {
    return "Transductive prediction certainty estimation." + " For more, see\n\n" + getTechnicalInformation();
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
    return "tpce";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-cuts");
    options.add(cuts);
    options.add("-alpha");
    options.add(Options.text(alpha));
    if (!inner.isEmpty()) {
      options.add("-inner");
      options.add(inner);
    }
    options.add("-batch");
    options.add(String.valueOf(batch));
    options.add("-seed");
    options.add(String.valueOf(seed));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tWhere a numeric attribute may be cut: class-boundary: between"
        + "\n\tneighbouring values of the other instances that are not both of one"
        + "\n\tand the same class; all: at every value of the other instances;"
        + "\n\twith-x: at the value of the instance itself too, which the paper warns"
        + "\n\tof. none: as the plain tree. (default: none)",
        "cuts", 1, "-cuts <class-boundary|with-x|all|none>"));
    options.add(new Option("\tα of Laplace's correction in Equation 1. (default: 1.0)",
        "alpha", 1, "-alpha <number>"));
    options.add(new Option("\tThe learner of the trees. Another one than info_gain, such as J48,"
        + "\n\tgrows every tree in full, with the options of the plain tree, and the"
        + "\n\tvalues of the instance are cut points like others. (default:"
        + "\n\tinfo_gain)",
        "inner", 1, "-inner <text>"));
    options.add(new Option("\tThe paper's extension to whole batches: as many trees as classes for"
        + "\n\tall instances that are asked about together, each of which has another"
        + "\n\trandom class in every tree. An answer then depends on the batch; the"
        + "\n\texplanation tells of the trees of each instance alone. (default:"
        + "\n\tfalse)",
        "batch", 1, "-batch <true|false>"));
    options.add(new Option("\tSeed of those random classes. (default: 1)",
        "seed", 1, "-seed <number>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    cuts = Options.choice(TAGS_CUTS, "none", "cuts", Utils.getOption("cuts", options));
    setAlpha(Options.number(1.0, "alpha", Utils.getOption("alpha", options)));
    setInner(Options.text("info_gain", Utils.getOption("inner", options)));
    setBatch(Options.flag(false, "batch", Utils.getOption("batch", options)));
    setSeed(Options.longWhole(1L, "seed", Utils.getOption("seed", options)));
  }

  public SelectedTag getCuts() {
    return Options.selected(TAGS_CUTS, cuts);
  }

  public void setCuts(SelectedTag selected) {
    cuts = Options.choice(TAGS_CUTS, "none", "cuts",
        selected.getSelectedTag().getReadable());
  }

  public String cutsTipText() {
    return "Where a numeric attribute may be cut: class-boundary: between neighbouring values of the "
        + "other instances that are not both of one and the same class; all: at every value of the "
        + "other instances; with-x: at the value of the instance itself too, which the paper warns "
        + "of. none: as the plain tree.";
  }

  public double getAlpha() {
    return alpha;
  }

  public void setAlpha(double alpha) {
    Options.check("alpha", alpha, 1e-09, 1000000000.0, false,
        "a number from 1e-09 to 1000000000");
    this.alpha = alpha;
  }

  public String alphaTipText() {
    return "α of Laplace's correction in Equation 1.";
  }

  public String getInner() {
    return inner;
  }

  public void setInner(String inner) {
    this.inner = inner;
  }

  public String innerTipText() {
    return "The learner of the trees. Another one than info_gain, such as J48, grows every tree in "
        + "full, with the options of the plain tree, and the values of the instance are cut points "
        + "like others.";
  }

  public boolean getBatch() {
    return batch;
  }

  public void setBatch(boolean batch) {
    this.batch = batch;
  }

  public String batchTipText() {
    return "The paper's extension to whole batches: as many trees as classes for all instances that "
        + "are asked about together, each of which has another random class in every tree. An answer "
        + "then depends on the batch; the explanation tells of the trees of each instance alone.";
  }

  public long getSeed() {
    return seed;
  }

  public void setSeed(long seed) {
    Options.check("seed", seed, 0.0, 9.223372036854776e+18, false,
        "a whole number from 0 to 9.22337203685e+18");
    this.seed = seed;
  }

  public String seedTipText() {
    return "Seed of those random classes.";
  }
}
