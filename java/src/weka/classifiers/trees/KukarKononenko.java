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

/** The plain tree's answer, with the reliability of Kukar and Kononenko as its certainty. */
public class KukarKononenko extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  private boolean supervised = false;

  public KukarKononenko() {
    super(new InfoGain());
  }

  @Override
  protected String certainty() {
    return "the reliability of the prediction, 1 if the second tree gives the same distribution, in "
      + "(0, 1]";
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
    runClassifier(new KukarKononenko(), options);
  }

  public String globalInfo() {
    return "The plain tree's answer, with the reliability of Kukar and Kononenko as its certainty." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.INPROCEEDINGS);
    information.setValue(Field.AUTHOR, "Kukar, Matjaž and Kononenko, Igor");
    information.setValue(Field.TITLE, "Reliable Classifications with Machine Learning");
    information.setValue(Field.BOOKTITLE, "Machine Learning: ECML 2002");
    information.setValue(Field.VOLUME, "2430");
    information.setValue(Field.PAGES, "219-231");
    information.setValue(Field.YEAR, "2002");
    return information;
  }

  @Override
  protected String pythonName() {
    return "kukar_kononenko";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-supervised");
    options.add(String.valueOf(supervised));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tWhether predictions are rejected, below the reliability that best"
        + "\n\ttells the correct from the wrong ones, by information gain, among the"
        + "\n\ttraining instances, each answered for by trees grown without it."
        + "\n\t(default: false)",
        "supervised", 1, "-supervised <true|false>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setSupervised(Options.flag(false, "supervised", Utils.getOption("supervised", options)));
  }

  public boolean getSupervised() {
    return supervised;
  }

  public void setSupervised(boolean supervised) {
    this.supervised = supervised;
  }

  public String supervisedTipText() {
    return "Whether predictions are rejected, below the reliability that best tells the correct from "
        + "the wrong ones, by information gain, among the training instances, each answered for by "
        + "trees grown without it.";
  }
}
