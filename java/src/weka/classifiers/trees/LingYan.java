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

/** The mean of the estimates of all leaves, each weighted by how well its path fits the instance. */
public class LingYan extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  private double confusion = 0.4;

  public LingYan() {
    super(new J48());
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
    runClassifier(new LingYan(), options);
  }

  public String globalInfo() {
    return "The mean of the estimates of all leaves, each weighted by how well its path fits the "
        + "instance." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.INPROCEEDINGS);
    information.setValue(Field.AUTHOR, "Ling, Charles X. and Yan, Robert J.");
    information.setValue(Field.TITLE, "Decision Tree with Better Ranking");
    information.setValue(Field.BOOKTITLE, "Proceedings of the 20th International Conference on Machine Learning (ICML)");
    information.setValue(Field.PUBLISHER, "AAAI Press");
    information.setValue(Field.PAGES, "480-487");
    information.setValue(Field.YEAR, "2003");
    return information;
  }

  @Override
  protected String pythonName() {
    return "ling_yan";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-confusion");
    options.add(Options.text(confusion));
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tThe confusion factor: with 0 the instance's own leaf answers alone,"
        + "\n\twith 1 all leaves answer equally. (default: 0.4)",
        "confusion", 1, "-confusion <number>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    setConfusion(Options.number(0.4, "confusion", Utils.getOption("confusion", options)));
  }

  public double getConfusion() {
    return confusion;
  }

  public void setConfusion(double confusion) {
    Options.check("confusion", confusion, 0.0, 1.0, false,
        "a number from 0 to 1");
    this.confusion = confusion;
  }

  public String confusionTipText() {
    return "The confusion factor: with 0 the instance's own leaf answers alone, with 1 all leaves "
        + "answer equally.";
  }
}
