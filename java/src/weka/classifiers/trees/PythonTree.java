package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
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

  private Fitted m_Fitted;
  private String m_Failure = Refusals.NOT_BUILT;

  /** The name of the learner in wekaconf. */
  protected abstract String pythonName();

  /** Its options, as getOptions gives them. */
  protected abstract List<String> ownOptions();

  protected abstract List<Option> listOwnOptions();

  protected abstract void setOwnOptions(String[] options) throws Exception;

  /** Name and options for Python. */
  final String[] learner() {
    List<String> all = new ArrayList<>(ownOptions());
    all.add(0, pythonName());
    return all.toArray(new String[0]);
  }

  /** The tree, null before it is grown. */
  final Fitted fitted() {
    return m_Fitted;
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
    result.enable(Capability.NOMINAL_ATTRIBUTES);
    result.enable(Capability.NUMERIC_ATTRIBUTES);
    result.enable(Capability.DATE_ATTRIBUTES);
    result.enable(Capability.MISSING_VALUES);
    result.enable(Capability.NOMINAL_CLASS);
    result.enable(Capability.MISSING_CLASS_VALUES);
    return result;
  }

  @Override
  public void buildClassifier(Instances data) throws Exception {
    m_Fitted = null;
    m_Failure = Refusals.NOT_BUILT;
    try {
      getCapabilities().testWithFail(data);
      m_Fitted = Fitted.fit("leaf_frequency", new String[0], this, data);
      m_Failure = null;
    } catch (Throwable failure) {
      m_Failure = Refusals.message(failure);
      throw Refusals.exception(failure, m_Failure);
    }
  }

  @Override
  public boolean implementsMoreEfficientBatchPrediction() {
    return true;
  }

  @Override
  public double[] distributionForInstance(Instance instance) throws Exception {
    Refusals.check(this, m_Failure);
    return (double[]) m_Fitted.answer(instance).get("distributions");
  }

  @Override
  public double[][] distributionsForInstances(Instances data) throws Exception {
    Refusals.check(this, m_Failure);
    return Fitted.rows((double[]) m_Fitted.answer(data).get("distributions"), m_Fitted.numClasses());
  }

  @Override
  public String toString() {
    return Refusals.description(this, m_Fitted, m_Failure);
  }

  @Override
  public int graphType() {
    return Drawable.TREE;
  }

  @Override
  public String graph() throws Exception {
    Refusals.check(this, m_Failure);
    return m_Fitted.graph();
  }
}
