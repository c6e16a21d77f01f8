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

/** Rejects an instance with a value below the smallest or above the largest of the training instances of its leaf. */
public class ID3Max extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_CLOSED = Options.tags("both", "lower", "upper", "neither");

  private String closed = "both";

  public ID3Max() {
    super(new J48(), "-U", "-M", "1");
  }

  @Override
  protected String certainty() {
    return "1 inside all limits of the leaf, else 0; with missing values a mean of these, in [0, 1]";
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
    runClassifier(new ID3Max(), options);
  }

  public String globalInfo() {
    return "Rejects an instance with a value below the smallest or above the largest of the training "
        + "instances of its leaf." + " For more, see\n\n" + getTechnicalInformation();
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  public TechnicalInformation getTechnicalInformation() {
    TechnicalInformation information = new TechnicalInformation(Type.UNPUBLISHED);
    information.setValue(Field.AUTHOR, "Davidsson, Paul");
    information.setValue(Field.TITLE, "Learning Characteristic Decision Trees");
    information.setValue(Field.YEAR, "1996");
    return information;
  }

  @Override
  protected String pythonName() {
    return "id3_max";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-closed");
    options.add(closed);
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tWhich of the two limits are themselves accepted; a single value always"
        + "\n\tis. (default: both)",
        "closed", 1, "-closed <both|lower|upper|neither>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    closed = Options.choice(TAGS_CLOSED, "both", "closed", Utils.getOption("closed", options));
  }

  public SelectedTag getClosed() {
    return Options.selected(TAGS_CLOSED, closed);
  }

  public void setClosed(SelectedTag selected) {
    closed = Options.choice(TAGS_CLOSED, "both", "closed",
        selected.getSelectedTag().getReadable());
  }

  public String closedTipText() {
    return "Which of the two limits are themselves accepted; a single value always is.";
  }
}
