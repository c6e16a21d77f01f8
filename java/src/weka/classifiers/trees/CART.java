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

/** CART as scikit-learn grows it, pruned by minimal cost-complexity. */
public class CART extends PythonTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_PRUNE = Options.tags("cv", "test", "none");
  public static final Tag[] TAGS_PRUNE_BY = Options.tags("gini", "error");
  public static final Tag[] TAGS_NOMINAL = Options.tags("one_hot", "refuse");

  private String prune = "cv";
  private String pruneBy = "gini";
  private double se = 0.0;
  private int folds = 10;
  private double testShare = 0.33;
  private long seed = 1L;
  private String leaves = "none";
  private int minLeaf = 1;
  private String nominal = "one_hot";

  @Override
  protected boolean readsNominal() {
    return !(nominal.equals("refuse"));
  }

  @Override
  protected String remedy() {
    return "-nominal one_hot";
  }

  public static void main(String[] options) {
    runClassifier(new CART(), options);
  }

  public String globalInfo() {
    return "CART as scikit-learn grows it, pruned by minimal cost-complexity." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.BOOK);
    information.setValue(Field.AUTHOR, "Breiman, Leo and Friedman, Jerome H. and Olshen, Richard A. and Stone, Charles J.");
    information.setValue(Field.TITLE, "Classification and Regression Trees");
    information.setValue(Field.PUBLISHER, "Wadsworth");
    information.setValue(Field.YEAR, "1984");
    return information;
  }

  @Override
  protected String pythonName() {
    return "CART";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-prune");
    options.add(prune);
    options.add("-prune_by");
    options.add(pruneBy);
    options.add("-se");
    options.add(Options.text(se));
    options.add("-folds");
    options.add(String.valueOf(folds));
    options.add("-test_share");
    options.add(Options.text(testShare));
    options.add("-seed");
    options.add(String.valueOf(seed));
    options.add("-leaves");
    options.add(leaves);
    options.add("-min_leaf");
    options.add(String.valueOf(minLeaf));
    options.add("-nominal");
    options.add(nominal);
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tChoose the tree by cross-validation, by a test sample, or keep the"
        + "\n\tfull tree. (default: cv)",
        "prune", 1, "-prune <cv|test|none>"));
    options.add(new Option("\tClose the weakest link by Gini's index, as scikit-learn does, or by"
        + "\n\ttraining errors, as the book does. (default: gini)",
        "prune_by", 1, "-prune_by <gini|error>"));
    options.add(new Option("\tTake the smallest tree whose error is at most this many standard"
        + "\n\terrors above the minimum. (default: 0.0)",
        "se", 1, "-se <number>"));
    options.add(new Option("\tFolds of the cross-validation; at most as many as there are instances."
        + "\n\t(default: 10)",
        "folds", 1, "-folds <number>"));
    options.add(new Option("\tShare of the test sample. (default: 0.33)",
        "test_share", 1, "-test_share <number>"));
    options.add(new Option("\tSeed of folds and test sample, both stratified by class; also decides"
        + "\n\tbetween splits of equal gain. (default: 1)",
        "seed", 1, "-seed <number>"));
    options.add(new Option("\tTake the largest tree with at most this many leaves, whatever its"
        + "\n\terror. (default: none)",
        "leaves", 1, "-leaves <number|none>"));
    options.add(new Option("\tFewest instances in a leaf. (default: 1)",
        "min_leaf", 1, "-min_leaf <number>"));
    options.add(new Option("\tSplit nominal attributes on one of their values, or refuse them."
        + "\n\t(default: one_hot)",
        "nominal", 1, "-nominal <one_hot|refuse>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    prune = Options.choice(TAGS_PRUNE, "cv", "prune", Utils.getOption("prune", options));
    pruneBy = Options.choice(TAGS_PRUNE_BY, "gini", "prune_by", Utils.getOption("prune_by", options));
    setSe(Options.number(0.0, "se", Utils.getOption("se", options)));
    setFolds(Options.whole(10, "folds", Utils.getOption("folds", options)));
    setTestShare(Options.number(0.33, "test_share", Utils.getOption("test_share", options)));
    setSeed(Options.longWhole(1L, "seed", Utils.getOption("seed", options)));
    setLeaves(Options.text("none", Utils.getOption("leaves", options)));
    setMinLeaf(Options.whole(1, "min_leaf", Utils.getOption("min_leaf", options)));
    nominal = Options.choice(TAGS_NOMINAL, "one_hot", "nominal", Utils.getOption("nominal", options));
  }

  public SelectedTag getPrune() {
    return Options.selected(TAGS_PRUNE, prune);
  }

  public void setPrune(SelectedTag selected) {
    prune = Options.choice(TAGS_PRUNE, "cv", "prune",
        selected.getSelectedTag().getReadable());
  }

  public String pruneTipText() {
    return "Choose the tree by cross-validation, by a test sample, or keep the full tree.";
  }

  public SelectedTag getPruneBy() {
    return Options.selected(TAGS_PRUNE_BY, pruneBy);
  }

  public void setPruneBy(SelectedTag selected) {
    pruneBy = Options.choice(TAGS_PRUNE_BY, "gini", "prune_by",
        selected.getSelectedTag().getReadable());
  }

  public String pruneByTipText() {
    return "Close the weakest link by Gini's index, as scikit-learn does, or by training errors, as "
        + "the book does.";
  }

  public double getSe() {
    return se;
  }

  public void setSe(double se) {
    Options.check("se", se, 0.0, 1000000.0, false,
        "a number from 0 to 1000000");
    this.se = se;
  }

  public String seTipText() {
    return "Take the smallest tree whose error is at most this many standard errors above the minimum.";
  }

  public int getFolds() {
    return folds;
  }

  public void setFolds(int folds) {
    Options.check("folds", folds, 2.0, Double.POSITIVE_INFINITY, false,
        "a whole number of at least 2");
    this.folds = folds;
  }

  public String foldsTipText() {
    return "Folds of the cross-validation; at most as many as there are instances.";
  }

  public double getTestShare() {
    return testShare;
  }

  public void setTestShare(double testShare) {
    Options.check("test_share", testShare, 0.0, 1.0, true,
        "a number between 0 and 1, both excluded");
    this.testShare = testShare;
  }

  public String testShareTipText() {
    return "Share of the test sample.";
  }

  public long getSeed() {
    return seed;
  }

  public void setSeed(long seed) {
    Options.check("seed", seed, 0.0, 4294967295.0, false,
        "a whole number from 0 to 4294967295");
    this.seed = seed;
  }

  public String seedTipText() {
    return "Seed of folds and test sample, both stratified by class; also decides between splits of "
        + "equal gain.";
  }

  public String getLeaves() {
    return leaves;
  }

  public void setLeaves(String leaves) {
    Options.checkOrNone("leaves", leaves, 1.0, Double.POSITIVE_INFINITY, false,
        "a whole number of at least 1, or none");
    this.leaves = leaves;
  }

  public String leavesTipText() {
    return "Take the largest tree with at most this many leaves, whatever its error.";
  }

  public int getMinLeaf() {
    return minLeaf;
  }

  public void setMinLeaf(int minLeaf) {
    Options.check("min_leaf", minLeaf, 1.0, Double.POSITIVE_INFINITY, false,
        "a whole number of at least 1");
    this.minLeaf = minLeaf;
  }

  public String minLeafTipText() {
    return "Fewest instances in a leaf.";
  }

  public SelectedTag getNominal() {
    return Options.selected(TAGS_NOMINAL, nominal);
  }

  public void setNominal(SelectedTag selected) {
    nominal = Options.choice(TAGS_NOMINAL, "one_hot", "nominal",
        selected.getSelectedTag().getReadable());
  }

  public String nominalTipText() {
    return "Split nominal attributes on one of their values, or refuse them.";
  }
}
