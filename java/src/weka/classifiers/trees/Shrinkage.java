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

/** An interpolation of the estimates of all nodes on the path, from a uniform node above the root to the leaf. */
public class Shrinkage extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_LOCAL = Options.tags("laplace", "wpe", "naive_bayes");
  public static final Tag[] TAGS_WEIGHTS = Options.tags("diw", "em", "uniform");
  public static final Tag[] TAGS_READING = Options.tags("honest", "text");
  public static final Tag[] TAGS_NUMERIC = Options.tags("refuse", "bins");

  private String local = "laplace";
  private String weights = "diw";
  private int iterations = 1;
  private double tolerance = 1e-06;
  private String reading = "honest";
  private String numeric = "refuse";

  public Shrinkage() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the probability of the predicted class, in [1/n_classes, 1]";
  }

  @Override
  protected boolean readsNumbers() {
    return !(local.equals("naive_bayes") && numeric.equals("refuse")
        || local.equals("wpe") && numeric.equals("refuse"));
  }

  @Override
  protected String remedy() {
    return "-local laplace or -numeric bins";
  }

  public static void main(String[] options) {
    runClassifier(new Shrinkage(), options);
  }

  public String globalInfo() {
    return "An interpolation of the estimates of all nodes on the path, from a uniform node above the "
        + "root to the leaf." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.INPROCEEDINGS);
    information.setValue(Field.AUTHOR, "Wang, Bin and Zhang, Harry");
    information.setValue(Field.TITLE, "Improving the Ranking Performance of Decision Trees");
    information.setValue(Field.BOOKTITLE, "Proceedings of the 17th European Conference on Machine Learning (ECML)");
    information.setValue(Field.PUBLISHER, "Springer");
    information.setValue(Field.PAGES, "461-472");
    information.setValue(Field.YEAR, "2006");
    return information;
  }

  @Override
  protected String pythonName() {
    return "shrinkage";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-local");
    options.add(local);
    options.add("-weights");
    options.add(weights);
    options.add("-iterations");
    options.add(String.valueOf(iterations));
    options.add("-tolerance");
    options.add(Options.text(tolerance));
    options.add("-reading");
    options.add(reading);
    options.add("-numeric");
    options.add(numeric);
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tEstimate at a node: Laplace frequency (Equation 1; works on any"
        + "\n\tattributes), weighted probability estimation (Equation 6, which makes"
        + "\n\tthe method shrinkage_wpe), or naive Bayes on the node's training"
        + "\n\tinstances, which the paper proposes. (default: laplace)",
        "local", 1, "-local <laplace|wpe|naive_bayes>"));
    options.add(new Option("\tAlgorithm DIW; expectation-maximisation, in which the weights of class"
        + "\n\tj maximise the likelihood of the instances of class j at the end of"
        + "\n\tthe path, each left out in turn; or, as a control, 1 / (k + 1) for"
        + "\n\teach of the k + 1 nodes. (default: diw)",
        "weights", 1, "-weights <diw|em|uniform>"));
    options.add(new Option("\tLargest number of passes of DIW, each from the weights of the one"
        + "\n\tbefore (the paper's Figure 3). (default: 1)",
        "iterations", 1, "-iterations <number>"));
    options.add(new Option("\tEnd EM, and DIW of several passes, when every weight of the path"
        + "\n\tchanges by less than this. (default: 1e-06)",
        "tolerance", 1, "-tolerance <number>"));
    options.add(new Option("\tWhat instances are ranked by: the distribution (honest), or the raw"
        + "\n\tscores, which do not sum to 1, as in the text of the paper (text). The"
        + "\n\tscores are raw in both cases. (default: honest)",
        "reading", 1, "-reading <honest|text>"));
    options.add(new Option("\tHow to treat numeric and date attributes, whose values are not"
        + "\n\tcompared as they are: refuse them, or cut them into ten bins of equal"
        + "\n\twidth over the training set, as Weka's unsupervised Discretize -B 10"
        + "\n\tdoes. (default: refuse)",
        "numeric", 1, "-numeric <refuse|bins>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    local = Options.choice(TAGS_LOCAL, "laplace", "local", Utils.getOption("local", options));
    weights = Options.choice(TAGS_WEIGHTS, "diw", "weights", Utils.getOption("weights", options));
    setIterations(Options.whole(1, "iterations", Utils.getOption("iterations", options)));
    setTolerance(Options.number(1e-06, "tolerance", Utils.getOption("tolerance", options)));
    reading = Options.choice(TAGS_READING, "honest", "reading", Utils.getOption("reading", options));
    numeric = Options.choice(TAGS_NUMERIC, "refuse", "numeric", Utils.getOption("numeric", options));
  }

  public SelectedTag getLocal() {
    return Options.selected(TAGS_LOCAL, local);
  }

  public void setLocal(SelectedTag selected) {
    local = Options.choice(TAGS_LOCAL, "laplace", "local",
        selected.getSelectedTag().getReadable());
  }

  public String localTipText() {
    return "Estimate at a node: Laplace frequency (Equation 1; works on any attributes), weighted "
        + "probability estimation (Equation 6, which makes the method shrinkage_wpe), or naive Bayes "
        + "on the node's training instances, which the paper proposes.";
  }

  public SelectedTag getWeights() {
    return Options.selected(TAGS_WEIGHTS, weights);
  }

  public void setWeights(SelectedTag selected) {
    weights = Options.choice(TAGS_WEIGHTS, "diw", "weights",
        selected.getSelectedTag().getReadable());
  }

  public String weightsTipText() {
    return "Algorithm DIW; expectation-maximisation, in which the weights of class j maximise the "
        + "likelihood of the instances of class j at the end of the path, each left out in turn; or, "
        + "as a control, 1 / (k + 1) for each of the k + 1 nodes.";
  }

  public int getIterations() {
    return iterations;
  }

  public void setIterations(int iterations) {
    Options.check("iterations", iterations, 1.0, Double.POSITIVE_INFINITY, false,
        "a whole number of at least 1");
    this.iterations = iterations;
  }

  public String iterationsTipText() {
    return "Largest number of passes of DIW, each from the weights of the one before (the paper's "
        + "Figure 3).";
  }

  public double getTolerance() {
    return tolerance;
  }

  public void setTolerance(double tolerance) {
    Options.check("tolerance", tolerance, 0.0, 1.0, false,
        "a number from 0 to 1");
    this.tolerance = tolerance;
  }

  public String toleranceTipText() {
    return "End EM, and DIW of several passes, when every weight of the path changes by less than "
        + "this.";
  }

  public SelectedTag getReading() {
    return Options.selected(TAGS_READING, reading);
  }

  public void setReading(SelectedTag selected) {
    reading = Options.choice(TAGS_READING, "honest", "reading",
        selected.getSelectedTag().getReadable());
  }

  public String readingTipText() {
    return "What instances are ranked by: the distribution (honest), or the raw scores, which do not "
        + "sum to 1, as in the text of the paper (text). The scores are raw in both cases.";
  }

  public SelectedTag getNumeric() {
    return Options.selected(TAGS_NUMERIC, numeric);
  }

  public void setNumeric(SelectedTag selected) {
    numeric = Options.choice(TAGS_NUMERIC, "refuse", "numeric",
        selected.getSelectedTag().getReadable());
  }

  public String numericTipText() {
    return "How to treat numeric and date attributes, whose values are not compared as they are: "
        + "refuse them, or cut them into ten bins of equal width over the training set, as Weka's "
        + "unsupervised Discretize -B 10 does.";
  }
}
