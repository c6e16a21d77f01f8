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

/** The probability that the tree is right, learned from what five methods say of its answers. */
public class Combined extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  private int folds = 10;
  private int repetitions = 1;
  private double penalty = 1.0;
  private long seed = 1L;

  public Combined() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the probability that the tree is right, learned out of fold, in [0, 1]";
  }

  @Override
  protected boolean readsEnsembles() {
    return false;
  }

  public static void main(String[] options) {
    runClassifier(new Combined(), options);
  }

  public String globalInfo() {
    return "The probability that the tree is right, learned from what five methods say of its answers." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.ARTICLE);
    information.setValue(Field.AUTHOR, "Wolpert, David H.");
    information.setValue(Field.TITLE, "Stacked Generalization");
    information.setValue(Field.JOURNAL, "Neural Networks");
    information.setValue(Field.VOLUME, "5");
    information.setValue(Field.NUMBER, "2");
    information.setValue(Field.PAGES, "241-259");
    information.setValue(Field.YEAR, "1992");
    return information;
  }

  @Override
  protected String pythonName() {
    return "combined";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-folds");
    options.add(String.valueOf(folds));
    options.add("-repetitions");
    options.add(String.valueOf(repetitions));
    options.add("-penalty");
    options.add(Options.text(penalty));
    options.add("-seed");
    options.add(String.valueOf(seed));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tNumber of folds whose trees grow without their rows. (default: 10)",
        "folds", 1, "-folds <number>"));
    options.add(new Option("\tHow many times the folds are drawn. (default: 1)",
        "repetitions", 1, "-repetitions <number>"));
    options.add(new Option("\tHalf of it times the squares of the weights counts as loss. (default:"
        + "\n\t1.0)",
        "penalty", 1, "-penalty <number>"));
    options.add(new Option("\tSeed of the folds. (default: 1)",
        "seed", 1, "-seed <number>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setFolds(Options.whole(10, "folds", Utils.getOption("folds", options)));
    setRepetitions(Options.whole(1, "repetitions", Utils.getOption("repetitions", options)));
    setPenalty(Options.number(1.0, "penalty", Utils.getOption("penalty", options)));
    setSeed(Options.longWhole(1L, "seed", Utils.getOption("seed", options)));
  }

  public int getFolds() {
    return folds;
  }

  public void setFolds(int folds) {
    Options.check("folds", folds, 2.0, 1000.0, false,
        "a whole number from 2 to 1000");
    this.folds = folds;
  }

  public String foldsTipText() {
    return "Number of folds whose trees grow without their rows.";
  }

  public int getRepetitions() {
    return repetitions;
  }

  public void setRepetitions(int repetitions) {
    Options.check("repetitions", repetitions, 1.0, 1000.0, false,
        "a whole number from 1 to 1000");
    this.repetitions = repetitions;
  }

  public String repetitionsTipText() {
    return "How many times the folds are drawn.";
  }

  public double getPenalty() {
    return penalty;
  }

  public void setPenalty(double penalty) {
    Options.check("penalty", penalty, 1e-09, 1000000000.0, false,
        "a number from 1e-09 to 1000000000");
    this.penalty = penalty;
  }

  public String penaltyTipText() {
    return "Half of it times the squares of the weights counts as loss.";
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
    return "Seed of the folds.";
  }
}
