// Written by scripts/build_classifiers.py; change the Python class and run that instead.

package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.List;
import weka.core.Option;
import weka.core.Utils;

/** The class frequencies of the leaf: Weka's own answer, the baseline of all other methods. */
public class LeafFrequency extends PostProcessedTree {
  private static final long serialVersionUID = 1;

  public enum Laplace {
    true_("true"),
    false_("false"),
    none("none");

    private final String asWritten;

    Laplace(String asWritten) {
      this.asWritten = asWritten;
    }

    @Override
    public String toString() {
      return asWritten;
    }
  }

  private Laplace laplace = Laplace.none;

  public LeafFrequency() {
    super(new J48());
  }

  public static void main(String[] options) {
    runClassifier(new LeafFrequency(), options);
  }

  public String globalInfo() {
    return "The class frequencies of the leaf: Weka's own answer, the baseline of all other methods.";
  }

  @Override
  public String getRevision() {
    return "0.1.0";
  }

  @Override
  protected String pythonName() {
    return "leaf_frequency";
  }

  @Override
  protected List<String> ownOptions() {
    List<String> options = new ArrayList<>();
    options.add("-laplace");
    options.add(String.valueOf(laplace));
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
    setLaplace(Options.choice(Laplace.values(), Laplace.none, "laplace", Utils.getOption("laplace", options)));
  }

  public Laplace getLaplace() {
    return laplace;
  }

  public void setLaplace(Laplace laplace) {
    this.laplace = laplace;
  }

  public String laplaceTipText() {
    return "Apply Laplace's correction at the leaf; none: as the tree was grown.";
  }
}
