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

/** Alternative routes and certainty fines where a value is uncharacteristic of the assigned class. */
public class ConfDTree extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_VARIANT = Options.tags("comb", "norm", "tdist");

  private String variant = "comb";
  private int minInstances = 5;
  private double zAssigned = 2.0;
  private double zOther = 1.0;
  private double levelAssigned = 0.995;
  private double levelOther = 0.9;
  private double fine = 0.1;
  private boolean routes = true;
  private boolean fines = true;

  public ConfDTree() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the probability of the predicted class, in [1/n_classes, 1]";
  }

  public static void main(String[] options) {
    runClassifier(new ConfDTree(), options);
  }

  public String globalInfo() {
    return "Alternative routes and certainty fines where a value is uncharacteristic of the assigned "
        + "class." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.INPROCEEDINGS);
    information.setValue(Field.AUTHOR, "Katz, Gilad and Shabtai, Asaf and Rokach, Lior and Ofek, Nir");
    information.setValue(Field.TITLE, "ConfDTree: Improving Decision Trees Using Confidence Intervals");
    information.setValue(Field.BOOKTITLE, "Proceedings of the 12th IEEE International Conference on Data Mining (ICDM)");
    information.setValue(Field.PAGES, "339-348");
    information.setValue(Field.YEAR, "2012");
    return information;
  }

  @Override
  protected String pythonName() {
    return "confdtree";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-variant");
    options.add(variant);
    options.add("-min_instances");
    options.add(String.valueOf(minInstances));
    options.add("-z_assigned");
    options.add(Options.text(zAssigned));
    options.add("-z_other");
    options.add(Options.text(zOther));
    options.add("-level_assigned");
    options.add(Options.text(levelAssigned));
    options.add("-level_other");
    options.add(Options.text(levelOther));
    options.add("-fine");
    options.add(Options.text(fine));
    options.add("-routes");
    options.add(String.valueOf(routes));
    options.add("-fines");
    options.add(String.valueOf(fines));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tIntervals from the normal distribution of the values (norm, only at"
        + "\n\tnodes where every class present passes the test of normality), from"
        + "\n\tStudent's t for the mean (tdist), or the former where it may be used"
        + "\n\tand the latter elsewhere (comb). (default: comb)",
        "variant", 1, "-variant <comb|norm|tdist>"));
    options.add(new Option("\tSmallest number of training instances of each class present for which"
        + "\n\tintervals are computed. (default: 5)",
        "min_instances", 1, "-min_instances <number>"));
    options.add(new Option("\tHalf-width of the normal interval of the assigned class, in standard"
        + "\n\tdeviations. (default: 2.0)",
        "z_assigned", 1, "-z_assigned <number>"));
    options.add(new Option("\tHalf-width of the normal intervals of the other classes, in standard"
        + "\n\tdeviations. (default: 1.0)",
        "z_other", 1, "-z_other <number>"));
    options.add(new Option("\tTwo-sided level of the t interval of the assigned class. (default:"
        + "\n\t0.995)",
        "level_assigned", 1, "-level_assigned <number>"));
    options.add(new Option("\tTwo-sided level of the t intervals of the other classes. (default:"
        + "\n\t0.9)",
        "level_other", 1, "-level_other <number>"));
    options.add(new Option("\tShare of the leading class's probability that a fine takes. (default:"
        + "\n\t0.1)",
        "fine", 1, "-fine <number>"));
    options.add(new Option("\tWhether to apply alternative routes. (default: true)",
        "routes", 1, "-routes <true|false>"));
    options.add(new Option("\tWhether to apply fines. (default: true)",
        "fines", 1, "-fines <true|false>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    variant = Options.choice(TAGS_VARIANT, "comb", "variant", Utils.getOption("variant", options));
    setMinInstances(Options.whole(5, "min_instances", Utils.getOption("min_instances", options)));
    setZAssigned(Options.number(2.0, "z_assigned", Utils.getOption("z_assigned", options)));
    setZOther(Options.number(1.0, "z_other", Utils.getOption("z_other", options)));
    setLevelAssigned(Options.number(0.995, "level_assigned", Utils.getOption("level_assigned", options)));
    setLevelOther(Options.number(0.9, "level_other", Utils.getOption("level_other", options)));
    setFine(Options.number(0.1, "fine", Utils.getOption("fine", options)));
    setRoutes(Options.flag(true, "routes", Utils.getOption("routes", options)));
    setFines(Options.flag(true, "fines", Utils.getOption("fines", options)));
  }

  public SelectedTag getVariant() {
    return Options.selected(TAGS_VARIANT, variant);
  }

  public void setVariant(SelectedTag selected) {
    variant = Options.choice(TAGS_VARIANT, "comb", "variant",
        selected.getSelectedTag().getReadable());
  }

  public String variantTipText() {
    return "Intervals from the normal distribution of the values (norm, only at nodes where every "
        + "class present passes the test of normality), from Student's t for the mean (tdist), or the"
        + " former where it may be used and the latter elsewhere (comb).";
  }

  public int getMinInstances() {
    return minInstances;
  }

  public void setMinInstances(int minInstances) {
    Options.check("min_instances", minInstances, 1.0, Double.POSITIVE_INFINITY, false,
        "a whole number of at least 1");
    this.minInstances = minInstances;
  }

  public String minInstancesTipText() {
    return "Smallest number of training instances of each class present for which intervals are "
        + "computed.";
  }

  public double getZAssigned() {
    return zAssigned;
  }

  public void setZAssigned(double zAssigned) {
    Options.check("z_assigned", zAssigned, 0.0, Double.POSITIVE_INFINITY, false,
        "a number of at least 0");
    this.zAssigned = zAssigned;
  }

  public String ZAssignedTipText() {
    return "Half-width of the normal interval of the assigned class, in standard deviations.";
  }

  public double getZOther() {
    return zOther;
  }

  public void setZOther(double zOther) {
    Options.check("z_other", zOther, 0.0, Double.POSITIVE_INFINITY, false,
        "a number of at least 0");
    this.zOther = zOther;
  }

  public String ZOtherTipText() {
    return "Half-width of the normal intervals of the other classes, in standard deviations.";
  }

  public double getLevelAssigned() {
    return levelAssigned;
  }

  public void setLevelAssigned(double levelAssigned) {
    Options.check("level_assigned", levelAssigned, 0.0, 1.0, false,
        "a number from 0 to 1");
    this.levelAssigned = levelAssigned;
  }

  public String levelAssignedTipText() {
    return "Two-sided level of the t interval of the assigned class.";
  }

  public double getLevelOther() {
    return levelOther;
  }

  public void setLevelOther(double levelOther) {
    Options.check("level_other", levelOther, 0.0, 1.0, false,
        "a number from 0 to 1");
    this.levelOther = levelOther;
  }

  public String levelOtherTipText() {
    return "Two-sided level of the t intervals of the other classes.";
  }

  public double getFine() {
    return fine;
  }

  public void setFine(double fine) {
    Options.check("fine", fine, 0.0, 1.0, false,
        "a number from 0 to 1");
    this.fine = fine;
  }

  public String fineTipText() {
    return "Share of the leading class's probability that a fine takes.";
  }

  public boolean getRoutes() {
    return routes;
  }

  public void setRoutes(boolean routes) {
    this.routes = routes;
  }

  public String routesTipText() {
    return "Whether to apply alternative routes.";
  }

  public boolean getFines() {
    return fines;
  }

  public void setFines(boolean fines) {
    this.fines = fines;
  }

  public String finesTipText() {
    return "Whether to apply fines.";
  }
}
