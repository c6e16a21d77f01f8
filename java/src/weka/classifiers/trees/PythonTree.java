package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import weka.classifiers.AbstractClassifier;
import weka.core.Capabilities;
import weka.core.Capabilities.Capability;
import weka.core.Drawable;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Option;
import weka.core.WeightedInstancesHandler;

/**
 * A tree that wekaconf's Python side grows. There is a subclass per learner, written by scripts/build_classifiers.py.
 */
public abstract class PythonTree extends AbstractClassifier
    implements Drawable, WeightedInstancesHandler {
  private static final long serialVersionUID = 1;

  private final Outcome m_Outcome = new Outcome(this);

  /** The name of the learner in wekaconf. */
  protected abstract String pythonName();

  /** Its options, as getOptions gives them. */
  protected abstract List<String> ownOptions();

  protected abstract List<Option> listOwnOptions();

  protected abstract void setOwnOptions(String[] options) throws Exception;

  /** Whether the learner, with these options, grows on nominal attributes. */
  protected boolean readsNominal() {
    return true;
  }

  /** The options with which it does. */
  protected String remedy() {
    return "";
  }

  /** What to do where it cannot learn from an attribute. */
  final Map<Capability, String> remedies() {
    if (readsNominal()) {
      return Map.of();
    }
    String how = "Choose " + remedy() + " of " + getClass().getSimpleName() + ", or make them numeric.";
    return Map.of(Capability.NOMINAL_ATTRIBUTES, how, Capability.BINARY_ATTRIBUTES, how,
        Capability.UNARY_ATTRIBUTES, how);
  }

  /** Name and options for Python. */
  final String[] learner() {
    List<String> all = new ArrayList<>(ownOptions());
    all.add(0, pythonName());
    return all.toArray(new String[0]);
  }

  final Outcome outcome() {
    return m_Outcome;
  }

  @Override
  public Enumeration<Option> listOptions() {
    List<Option> options = new ArrayList<>(listOwnOptions());
    options.addAll(Collections.list(super.listOptions()));
    return Collections.enumeration(options);
  }

  @Override
  public void setOptions(String[] options) throws Exception {
    setOwnOptions(options);
    super.setOptions(options);
    weka.core.Utils.checkForRemainingOptions(options);
  }

  @Override
  public String[] getOptions() {
    List<String> options = new ArrayList<>(ownOptions());
    options.addAll(Arrays.asList(super.getOptions()));
    return options.toArray(new String[0]);
  }

  @Override
  public Capabilities getCapabilities() {
    Capabilities result = super.getCapabilities();
    result.disableAll();
    if (readsNominal()) {
      result.enable(Capability.NOMINAL_ATTRIBUTES);
    }
    result.enable(Capability.NUMERIC_ATTRIBUTES);
    result.enable(Capability.DATE_ATTRIBUTES);
    result.enable(Capability.MISSING_VALUES);
    result.enable(Capability.NOMINAL_CLASS);
    result.enable(Capability.MISSING_CLASS_VALUES);
    return new HelpfulCapabilities(this, result, null, remedies());
  }

  @Override
  public void buildClassifier(Instances data) throws Exception {
    m_Outcome.build(() -> {
      getCapabilities().testWithFail(data);
      return Fitted.fit("leaf_frequency", new String[0], this, data, Map.of());
    });
  }

  @Override
  public boolean implementsMoreEfficientBatchPrediction() {
    return true;
  }

  @Override
  public double[] distributionForInstance(Instance instance) throws Exception {
    return m_Outcome.ask(fitted -> fitted.distributions(fitted.answer(instance), 1))[0];
  }

  @Override
  public double[][] distributionsForInstances(Instances data) throws Exception {
    return m_Outcome.ask(fitted -> fitted.distributions(fitted.answer(data), data.numInstances()));
  }

  @Override
  public String toString() {
    return m_Outcome.description();
  }

  @Override
  public int graphType() {
    return Drawable.TREE;
  }

  @Override
  public String graph() throws Exception {
    return m_Outcome.ask(Fitted::graph);
  }
}
