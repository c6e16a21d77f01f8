// Written by scripts/build_classifiers.py; change the Python class and run that instead.

package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.List;
import weka.core.Option;
import weka.core.SelectedTag;
import weka.core.Tag;
import weka.core.Utils;

/** The class frequencies of the leaf: Weka's own answer, the baseline of all other methods. */
public class LeafFrequency extends PostProcessedTree {
  private static final long serialVersionUID = 1;

  public static final Tag[] TAGS_LAPLACE = Options.tags("true", "false", "none");

  private String laplace = "none";

  public LeafFrequency() {
    super(new J48());
  }

  @Override
  protected String certainty() {
    return "the probability of the predicted class, in [1/n_classes, 1]";
  }

  public static void main(String[] options) {
    runClassifier(new LeafFrequency(), options);
  }

  public String globalInfo() {
    return "The class frequencies of the leaf: Weka's own answer, the baseline of all other methods.";
  }

  @Override
  public String getRevision() {
    return "0.2.0";
  }

  @Override
  protected String pythonName() {
    return "leaf_frequency";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-laplace");
    options.add(laplace);
    return options;
  }

  @Override
  protected List<Option> listOwnOptions() {
    List<Option> options = new ArrayList<>();
    options.add(new Option("\tApply Laplace's correction at the leaf; none: as the tree was grown."
        + "\n\t(default: none)",
        "laplace", 1, "-laplace <true|false|none>"));
    return options;
  }

  @Override
  protected void setOwnOptions(String[] options) throws Exception {
    laplace = Options.choice(TAGS_LAPLACE, "none", "laplace", Utils.getOption("laplace", options));
  }

  public SelectedTag getLaplace() {
    return Options.selected(TAGS_LAPLACE, laplace);
  }

  public void setLaplace(SelectedTag selected) {
    laplace = Options.choice(TAGS_LAPLACE, "none", "laplace",
        selected.getSelectedTag().getReadable());
  }

  public String laplaceTipText() {
    return "Apply Laplace's correction at the leaf; none: as the tree was grown.";
  }
}
