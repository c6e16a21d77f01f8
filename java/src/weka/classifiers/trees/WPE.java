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

/** Class frequencies of the leaf, with each training instance weighted by its similarity to the instance. */
public class WPE extends PostProcessedTree implements TechnicalInformationHandler {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_NODE = Options.tags("leaf", "root");
  public static final Tag[] TAGS_NUMERIC = Options.tags("refuse", "bins");

  private String node = "leaf";
  private String numeric = "refuse";

  public WPE() {
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

  @Override
  protected boolean readsNumbers() {
    return !(numeric.equals("refuse"));
  }

  @Override
  protected String remedy() {
    return "-numeric bins";
  }

  public static void main(String[] options) {
    runClassifier(new WPE(), options);
  }

  public String globalInfo() {
    return "Class frequencies of the leaf, with each training instance weighted by its similarity to "
        + "the instance." + " For more, see\n\n" + getTechnicalInformation();
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
    return "wpe";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-node");
    options.add(node);
    options.add("-numeric");
    options.add(numeric);
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tThe node whose training instances answer; root, a control, makes no"
        + "\n\tuse of the tree. (default: leaf)",
        "node", 1, "-node <leaf|root>"));
    options.add(new Option("\tHow to treat numeric and date attributes, whose values are not"
        + "\n\tcompared as they are: refuse them, or cut them into ten bins of equal"
        + "\n\twidth over the training set, as Weka's unsupervised Discretize -B 10"
        + "\n\tdoes. (default: refuse)",
        "numeric", 1, "-numeric <refuse|bins>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    node = Options.choice(TAGS_NODE, "leaf", "node", Utils.getOption("node", options));
    numeric = Options.choice(TAGS_NUMERIC, "refuse", "numeric", Utils.getOption("numeric", options));
  }

  public SelectedTag getNode() {
    return Options.selected(TAGS_NODE, node);
  }

  public void setNode(SelectedTag selected) {
    node = Options.choice(TAGS_NODE, "leaf", "node",
        selected.getSelectedTag().getReadable());
  }

  public String nodeTipText() {
    return "The node whose training instances answer; root, a control, makes no use of the tree.";
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
