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

/** The class distribution of the deepest node on the path that has enough training instances. */
public class Curtailment extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_ESTIMATE = Options.tags("frequency", "laplace");

  private double minWeight = 10.0;
  private String estimate = "frequency";

  public Curtailment() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the probability of the predicted class, in [1/n_classes, 1]";
  }

  public static void main(String[] options) {
    runClassifier(new Curtailment(), options);
  }

  public String globalInfo() {
    return "The class distribution of the deepest node on the path that has enough training instances." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.INPROCEEDINGS);
    information.setValue(Field.AUTHOR, "Zadrozny, Bianca and Elkan, Charles");
    information.setValue(Field.TITLE, "Obtaining Calibrated Probability Estimates from Decision Trees and Naive Bayesian "
        + "Classifiers");
    information.setValue(Field.BOOKTITLE, "Proceedings of the 18th International Conference on Machine Learning (ICML)");
    information.setValue(Field.PUBLISHER, "Morgan Kaufmann");
    information.setValue(Field.PAGES, "609-616");
    information.setValue(Field.YEAR, "2001");
    return information;
  }

  @Override
  protected String pythonName() {
    return "curtailment";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-min_weight");
    options.add(Options.text(minWeight));
    options.add("-estimate");
    options.add(estimate);
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tSmallest summed weight of the training instances of the node that"
        + "\n\tanswers, less 1e-9 for rounding. The root answers if no node on the"
        + "\n\tpath has this weight; 0 gives the leaf's own distribution. (default:"
        + "\n\t10.0)",
        "min_weight", 1, "-min_weight <number>"));
    options.add(new Option("\tn_c / n, or the Laplace-corrected (n_c + 1/n_classes) / (n + 1)."
        + "\n\t(default: frequency)",
        "estimate", 1, "-estimate <frequency|laplace>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setMinWeight(Options.number(10.0, "min_weight", Utils.getOption("min_weight", options)));
    estimate = Options.choice(TAGS_ESTIMATE, "frequency", "estimate", Utils.getOption("estimate", options));
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
    return "Smallest summed weight of the training instances of the node that answers, less 1e-9 for "
        + "rounding. The root answers if no node on the path has this weight; 0 gives the leaf's own "
        + "distribution.";
  }

  public SelectedTag getEstimate() {
    return Options.selected(TAGS_ESTIMATE, estimate);
  }

  public void setEstimate(SelectedTag selected) {
    estimate = Options.choice(TAGS_ESTIMATE, "frequency", "estimate",
        selected.getSelectedTag().getReadable());
  }

  public String estimateTipText() {
    return "n_c / n, or the Laplace-corrected (n_c + 1/n_classes) / (n + 1).";
  }
}
