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

/** Certainty as the distance to the nearest decision boundary between the predicted class and another. */
public class BoundaryDistance extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_SCALING = Options.tags("raw", "minmax", "z");
  public static final Tag[] TAGS_NORM = Options.tags("l2", "l1", "linf");

  private String scaling = "raw";
  private String norm = "l2";
  private double nominal = 1.0;

  public BoundaryDistance() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the distance to the nearest region of another class, in the unit of the scaled attributes,"
      + " in [0, ∞]";
  }

  @Override
  protected double largestCertainty() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  protected boolean readsEnsembles() {
    return false;
  }

  public static void main(String[] options) {
    runClassifier(new BoundaryDistance(), options);
  }

  public String globalInfo() {
    return "Certainty as the distance to the nearest decision boundary between the predicted class and"
        + " another." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.ARTICLE);
    information.setValue(Field.AUTHOR, "Tóth, Norbert and Pataki, Béla");
    information.setValue(Field.TITLE, "A Proposed Method to Handle Classification Uncertainty Using Decision Trees");
    information.setValue(Field.JOURNAL, "Production Systems and Information Engineering");
    information.setValue(Field.YEAR, "2006");
    return information;
  }

  @Override
  protected String pythonName() {
    return "boundary_distance";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-scaling");
    options.add(scaling);
    options.add("-norm");
    options.add(norm);
    options.add("-nominal");
    options.add(Options.text(nominal));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tUnit of each numeric attribute: its own (the paper), the range of its"
        + "\n\ttraining values, or their standard deviation (n − 1, weighted). If"
        + "\n\tthat is 0 or undefined, the attribute keeps its own unit. (default:"
        + "\n\traw)",
        "scaling", 1, "-scaling <raw|minmax|z>"));
    options.add(new Option("\tHow the offsets on the axes give a distance: Euclidean (the paper),"
        + "\n\ttheir sum, or the largest. (default: l2)",
        "norm", 1, "-norm <l2|l1|linf>"));
    options.add(new Option("\tDistance between two values of a nominal attribute, in the unit of the"
        + "\n\tscaled axes; inf: a boundary is never crossed by another nominal"
        + "\n\tvalue. (default: 1.0)",
        "nominal", 1, "-nominal <number>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    scaling = Options.choice(TAGS_SCALING, "raw", "scaling", Utils.getOption("scaling", options));
    norm = Options.choice(TAGS_NORM, "l2", "norm", Utils.getOption("norm", options));
    setNominal(Options.number(1.0, "nominal", Utils.getOption("nominal", options)));
  }

  public SelectedTag getScaling() {
    return Options.selected(TAGS_SCALING, scaling);
  }

  public void setScaling(SelectedTag selected) {
    scaling = Options.choice(TAGS_SCALING, "raw", "scaling",
        selected.getSelectedTag().getReadable());
  }

  public String scalingTipText() {
    return "Unit of each numeric attribute: its own (the paper), the range of its training values, or "
        + "their standard deviation (n − 1, weighted). If that is 0 or undefined, the attribute keeps"
        + " its own unit.";
  }

  public SelectedTag getNorm() {
    return Options.selected(TAGS_NORM, norm);
  }

  public void setNorm(SelectedTag selected) {
    norm = Options.choice(TAGS_NORM, "l2", "norm",
        selected.getSelectedTag().getReadable());
  }

  public String normTipText() {
    return "How the offsets on the axes give a distance: Euclidean (the paper), their sum, or the "
        + "largest.";
  }

  public double getNominal() {
    return nominal;
  }

  public void setNominal(double nominal) {
    Options.check("nominal", nominal, 0.0, Double.POSITIVE_INFINITY, false,
        "a number of at least 0");
    this.nominal = nominal;
  }

  public String nominalTipText() {
    return "Distance between two values of a nominal attribute, in the unit of the scaled axes; inf: a"
        + " boundary is never crossed by another nominal value.";
  }
}
