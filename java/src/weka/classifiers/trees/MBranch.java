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

/** Every node's class frequencies smoothed towards the estimate of its parent. */
public class MBranch extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  private double m = 4.0;

  public MBranch() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the probability of the predicted class, in [1/n_classes, 1]";
  }

  public static void main(String[] options) {
    runClassifier(new MBranch(), options);
  }

  public String globalInfo() {
    return "Every node's class frequencies smoothed towards the estimate of its parent." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.INPROCEEDINGS);
    information.setValue(Field.AUTHOR, "Ferri, César and Flach, Peter A. and Hernández-Orallo, José");
    information.setValue(Field.TITLE, "Improving the AUC of Probabilistic Estimation Trees");
    information.setValue(Field.BOOKTITLE, "Proceedings of the 14th European Conference on Machine Learning (ECML)");
    information.setValue(Field.PUBLISHER, "Springer");
    information.setValue(Field.PAGES, "121-132");
    information.setValue(Field.YEAR, "2003");
    return information;
  }

  @Override
  protected String pythonName() {
    return "m_branch";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-m");
    options.add(Options.text(m));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tWeight of the parent's estimate at a leaf. 0 gives the frequencies of"
        + "\n\tthe leaf. (default: 4.0)",
        "m", 1, "-m <number>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setM(Options.number(4.0, "m", Utils.getOption("m", options)));
  }

  public double getM() {
    return m;
  }

  public void setM(double m) {
    Options.check("m", m, 0.0, 1000000000.0, false,
        "a number from 0 to 1000000000");
    this.m = m;
  }

  public String mTipText() {
    return "Weight of the parent's estimate at a leaf. 0 gives the frequencies of the leaf.";
  }
}
