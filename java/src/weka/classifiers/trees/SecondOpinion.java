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

/** The tree, naive Bayes and a logistic regression each give a distribution; the answer is their weighted pool. */
public class SecondOpinion extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_ANSWERS = Options.tags("likeliest", "tree");

  private String sides = "laplace+naive_bayes+logistic";
  private String answers = "likeliest";
  private int folds = 3;
  private double penalty = 1.0;
  private long seed = 1L;

  public SecondOpinion() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the pooled probability of the answer, in [0, 1]";
  }

  @Override
  protected boolean readsEnsembles() {
    return false;
  }

  public static void main(String[] options) {
    runClassifier(new SecondOpinion(), options);
  }

  public String globalInfo() {
    return "The tree, naive Bayes and a logistic regression each give a distribution; the answer is "
        + "their weighted pool." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.ARTICLE);
    information.setValue(Field.AUTHOR, "Genest, Christian and Zidek, James V.");
    information.setValue(Field.TITLE, "Combining Probability Distributions: A Critique and an Annotated Bibliography");
    information.setValue(Field.JOURNAL, "Statistical Science");
    information.setValue(Field.VOLUME, "1");
    information.setValue(Field.NUMBER, "1");
    information.setValue(Field.PAGES, "114-135");
    information.setValue(Field.YEAR, "1986");
    return information;
  }

  @Override
  protected String pythonName() {
    return "second_opinion";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    if (!sides.isEmpty()) {
      options.add("-sides");
      options.add(sides);
    }
    options.add("-answers");
    options.add(answers);
    options.add("-folds");
    options.add(String.valueOf(folds));
    options.add("-penalty");
    options.add(Options.text(penalty));
    options.add("-seed");
    options.add(String.valueOf(seed));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tWho is asked, joined by +: laplace (the tree), naive_bayes, logistic,"
        + "\n\trandom_forest, neighbours, or a method. (default:"
        + "\n\tlaplace+naive_bayes+logistic)",
        "sides", 1, "-sides <text>"));
    options.add(new Option("\tlikeliest: answer the largest class of the pool; tree: answer the"
        + "\n\ttree's class. (default: likeliest)",
        "answers", 1, "-answers <likeliest|tree>"));
    options.add(new Option("\tNumber of folds whose trees grow without their rows. (default: 3)",
        "folds", 1, "-folds <number>"));
    options.add(new Option("\tHalf of it times the squared distance from equal weights counts as"
        + "\n\tloss. (default: 1.0)",
        "penalty", 1, "-penalty <number>"));
    options.add(new Option("\tSeed of the folds. (default: 1)",
        "seed", 1, "-seed <number>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setSides(Options.text("laplace+naive_bayes+logistic", Utils.getOption("sides", options)));
    answers = Options.choice(TAGS_ANSWERS, "likeliest", "answers", Utils.getOption("answers", options));
    setFolds(Options.whole(3, "folds", Utils.getOption("folds", options)));
    setPenalty(Options.number(1.0, "penalty", Utils.getOption("penalty", options)));
    setSeed(Options.longWhole(1L, "seed", Utils.getOption("seed", options)));
  }

  public String getSides() {
    return sides;
  }

  public void setSides(String sides) {
    this.sides = sides;
  }

  public String sidesTipText() {
    return "Who is asked, joined by +: laplace (the tree), naive_bayes, logistic, random_forest, "
        + "neighbours, or a method.";
  }

  public SelectedTag getAnswers() {
    return Options.selected(TAGS_ANSWERS, answers);
  }

  public void setAnswers(SelectedTag selected) {
    answers = Options.choice(TAGS_ANSWERS, "likeliest", "answers",
        selected.getSelectedTag().getReadable());
  }

  public String answersTipText() {
    return "likeliest: answer the largest class of the pool; tree: answer the tree's class.";
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

  public double getPenalty() {
    return penalty;
  }

  public void setPenalty(double penalty) {
    Options.check("penalty", penalty, 1e-09, 1000000000.0, false,
        "a number from 1e-09 to 1000000000");
    this.penalty = penalty;
  }

  public String penaltyTipText() {
    return "Half of it times the squared distance from equal weights counts as loss.";
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
