package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.classifiers.SingleClassifierEnhancer;
import weka.classifiers.meta.Bagging;
import weka.core.AdditionalMeasureProducer;
import weka.core.Capabilities;
import weka.core.Capabilities.Capability;
import weka.core.Drawable;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Option;
import weka.core.Summarizable;
import weka.core.Utils;
import weka.core.WeightedInstancesHandler;

/**
 * A published method that reads a finished tree and says how far each answer can be trusted. Weka grows the tree,
 * wekaconf's Python side fits the method and answers; what was fitted is kept here as the bytes of wekaconf's model file.
 * There is a subclass per method, written by scripts/build_classifiers.py.
 */
public abstract class PostProcessedTree extends SingleClassifierEnhancer
    implements Drawable, Summarizable, WeightedInstancesHandler, AdditionalMeasureProducer {
  private static final long serialVersionUID = 1;

  private static final String CERTAINTY = "measureMeanCertainty";
  private static final String REJECTED = "measurePercentRejected";
  private static final int OPTION_LINE = 70;

  /** Smallest certainty with which an answer is given; NaN: the method's own, if it has one, else all are. */
  private double m_Reject = Double.NaN;
  private Promise m_Promise = new Promise();
  private final String m_UsualLearner;
  private final String[] m_UsualOptions;
  private final Outcome m_Outcome = new Outcome(this);
  private double m_SumCertainty;
  private int m_NumRejected;
  private int m_NumAnswered;

  // ---- of a method ----

  /** The name of the method in wekaconf. */
  protected abstract String pythonName();

  /** Its options, as getOptions gives them. */
  protected abstract List<String> ownOptions();

  protected abstract List<Option> listOwnOptions();

  protected abstract void setOwnOptions(String[] options) throws Exception;

  /** What its certainty is, and where it lies. */
  protected abstract String certainty();

  /** The largest certainty. */
  protected double largestCertainty() {
    return 1;
  }

  /** What is rejected unless the user says it. */
  protected String usualRejection() {
    return "always predict";
  }

  /** Whether the method, with these options, reads numeric and date attributes. */
  protected boolean readsNumbers() {
    return true;
  }

  /** The options with which it reads them. */
  protected String remedy() {
    return "";
  }

  /** Whether the method is defined on the trees of an ensemble. */
  protected boolean readsEnsembles() {
    return true;
  }

  // ---- options ----

  /** With the learner that the method's paper uses. */
  protected PostProcessedTree(AbstractClassifier learner, String... options) {
    try {
      learner.setOptions(options.clone());
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
    m_Classifier = learner;
    m_UsualLearner = learner.getClass().getName();
    m_UsualOptions = options;
  }

  @Override
  protected String defaultClassifierString() {
    return m_UsualLearner;
  }

  @Override
  protected String[] defaultClassifierOptions() {
    return m_UsualOptions.clone();
  }

  @Override
  public Enumeration<Option> listOptions() {
    List<Option> options = new ArrayList<>(listOwnOptions());
    options.add(option(rejecting() + " (default: " + usualRejection() + ")", "reject", "certainty"));
    options.add(option(targetErrorTipText() + " (default: none)", "target-error", "share|class=share,..."));
    options.add(option(promiseConfidenceTipText() + " (default: none)", "confidence", "probability"));
    options.add(option(calibrateTipText() + " (default: " + Promise.USUAL_SHARE + ")", "calibrate", "share"));
    options.addAll(Collections.list(super.listOptions()));
    return Collections.enumeration(options);
  }

  private static Option option(String help, String name, String value) {
    String lines = "\t" + Outcome.folded(help, OPTION_LINE).replace("\n", "\n\t");
    return new Option(lines, name, 1, "-" + name + " <" + value + ">");
  }

  @Override
  public void setOptions(String[] options) throws Exception {
    String[] ofLearner = Utils.partitionOptions(options.clone());
    setOwnOptions(options);
    setReject(Options.number(Double.NaN, "reject", Utils.getOption("reject", options)));
    setTargetError(Utils.getOption("target-error", options));
    setPromiseConfidence(Options.number(Double.NaN, "confidence", Utils.getOption("confidence", options)));
    setCalibrate(Options.number(Promise.USUAL_SHARE, "calibrate", Utils.getOption("calibrate", options)));
    try {
      super.setOptions(options);
    } catch (ClassNotFoundException error) {
      throw new Exception("-W: there is no classifier " + error.getMessage() + " in this Weka", error);
    } catch (Exception error) {
      throw explained(error, options, ofLearner);
    }
  }

  /** An exception that says where the options belong that nobody has read; another complaint of Weka's as it is. */
  private Exception explained(Exception error, String[] options, String[] ofLearner) {
    List<String> unread = new ArrayList<>(Arrays.asList(options));
    unread.removeIf(String::isEmpty);
    if (!("Illegal options: " + String.join(" ", unread)).equals(String.valueOf(error.getMessage()).trim())) {
      return error;
    }
    String name = getClass().getSimpleName();
    String learner = m_Classifier.getClass().getSimpleName();
    String corrected = "-W " + m_Classifier.getClass().getName() + " -- ";
    if (Options.areOf(m_Classifier, unread)) {
      String said = name + ": " + Options.joined(unread) + " is for " + learner + ", whose options come last:";
      unread.addAll(Arrays.asList(ofLearner));
      return new Exception(Outcome.folded(said) + "\n" + corrected + Options.joined(unread), error);
    }
    StringBuilder known = new StringBuilder();
    listOwnOptions().forEach(option -> known.append("-").append(option.name()).append(", "));
    String said = name + ": illegal options " + Options.joined(unread) + "; expected " + known + "-target-error, "
        + "-confidence, -calibrate, -reject, each once, and last those of the learner:";
    return new Exception(Outcome.folded(said) + "\n" + corrected + "<options of " + learner + ">", error);
  }

  @Override
  public String[] getOptions() {
    List<String> options = new ArrayList<>(ownOptions());
    if (!Double.isNaN(m_Reject)) {
      options.add("-reject");
      options.add(Options.text(m_Reject));
    }
    if (!m_Promise.targetError.isEmpty()) {
      options.add("-target-error");
      options.add(m_Promise.targetError);
    }
    if (!Double.isNaN(m_Promise.confidence)) {
      options.add("-confidence");
      options.add(Options.text(m_Promise.confidence));
    }
    if (m_Promise.calibrate != Promise.USUAL_SHARE) {
      options.add("-calibrate");
      options.add(Options.text(m_Promise.calibrate));
    }
    options.addAll(Arrays.asList(super.getOptions()));
    return options.toArray(new String[0]);
  }

  public double getReject() {
    return m_Reject;
  }

  public void setReject(double reject) {
    if (reject < 0 || reject > largestCertainty() && reject != Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(Outcome.folded("-reject: expected a certainty, which is " + certainty()
          + "; 0 rejects nothing, inf everything; got " + Options.text(reject)));
    }
    m_Reject = reject;
  }

  public String rejectTipText() {
    return rejecting() + " NaN: " + usualRejection() + ".";
  }

  private String rejecting() {
    return "Give no prediction when the certainty is below this; such instances count as unclassified. The certainty is "
        + certainty() + ". 0: always predict.";
  }

  public String getTargetError() {
    return m_Promise.targetError;
  }

  public void setTargetError(String targetError) {
    m_Promise.targetError = targetError;
  }

  public String targetErrorTipText() {
    return "Promise that at most this share of the answers is wrong, or of those that predict each class, such as "
        + "yes=0.02,no=0.1. Instances that are held out show below which certainty to reject. Needs a confidence.";
  }

  public double getPromiseConfidence() {
    return m_Promise.confidence;
  }

  public void setPromiseConfidence(double confidence) {
    if (!Double.isNaN(confidence)) {
      Options.check("confidence", confidence, 0, 1, true,
          "a probability between 0 and 1, both excluded, such as 0.95");
    }
    m_Promise.confidence = confidence;
  }

  public String promiseConfidenceTipText() {
    return "Keep the target error with this probability, such as 0.95, for instances drawn as the training instances.";
  }

  public double getCalibrate() {
    return m_Promise.calibrate;
  }

  public void setCalibrate(double calibrate) {
    Options.check("calibrate", calibrate, 0, 1, true,
        "a share of the training instances, between 0 and 1, both excluded");
    m_Promise.calibrate = calibrate;
  }

  public String calibrateTipText() {
    return "Hold out this share of the training instances for a promise; the tree does not grow on them.";
  }

  // ---- growing and fitting ----

  /** What the learner can grow on and the method can read. */
  @Override
  public Capabilities getCapabilities() {
    if (m_Classifier == null) {
      return super.getCapabilities();
    }
    Map<Capability, String> remedies = new LinkedHashMap<>();
    Capabilities result = super.getCapabilities();
    result.disable(Capability.NUMERIC_CLASS);
    result.disable(Capability.DATE_CLASS);
    if (!readsNumbers()) {
      result.disable(Capability.NUMERIC_ATTRIBUTES);
      result.disable(Capability.DATE_ATTRIBUTES);
      result.disableDependency(Capability.NUMERIC_ATTRIBUTES);
      result.disableDependency(Capability.DATE_ATTRIBUTES);
      remedies.put(Capability.NUMERIC_ATTRIBUTES, "Choose " + remedy() + ", or discretize them.");
      remedies.put(Capability.DATE_ATTRIBUTES, "Choose " + remedy() + ".");
    }
    if (m_Classifier instanceof PythonTree) {
      remedies.putAll(((PythonTree) m_Classifier).remedies());
    }
    return new HelpfulCapabilities(this, result, refusal(), remedies);
  }

  /** Why the method does not read what the learner grows; null if it does. */
  private String refusal() {
    String name = getClass().getSimpleName();
    boolean isBagging = m_Classifier.getClass() == Bagging.class;
    Classifier member = isBagging ? ((Bagging) m_Classifier).getClassifier() : m_Classifier;
    boolean isTree = List.of(J48.class, REPTree.class, RandomTree.class).contains(member.getClass());
    if (!isTree && (isBagging || !(member instanceof PythonTree) && member.getClass() != RandomForest.class)) {
      return name + " cannot read what " + (isBagging ? "Bagging with " : "") + member.getClass().getName()
          + " learns; it reads trees of J48, REPTree, RandomTree, CART or InfoGain"
          + (readsEnsembles() ? ", or of RandomForest, or of Bagging with one of the first three" : "")
          + ": choose one with -W";
    }
    if (m_Classifier instanceof Bagging && !readsEnsembles()) {
      return name + " reads one tree, not the many of " + m_Classifier.getClass().getSimpleName()
          + "; choose J48, REPTree or RandomTree with -W";
    }
    return null;
  }

  @Override
  public void buildClassifier(Instances data) throws Exception {
    m_SumCertainty = 0;
    m_NumRejected = 0;
    m_NumAnswered = 0;
    m_Outcome.build(() -> {
      if (m_Classifier == null) {
        throw new Exception("no learner is set; choose one with -W");
      }
      m_Promise.check(getClass().getSimpleName(), !Double.isNaN(m_Reject));
      getCapabilities().testWithFail(data);
      Map<String, Object> drawn = m_Promise.drawn(data.numInstances());
      m_Classifier.buildClassifier(Promise.growing(data, drawn));
      Fitted fitted = Fitted.fit(pythonName(), ownOptions().toArray(new String[0]), m_Classifier, data, drawn);
      Set<String> owners = RejectionWarning.owners();
      if (!owners.isEmpty()) {
        RejectionWarning.warn(this, threshold(fitted.answer(new Instances(data, 0))), owners, data.classAttribute());
      }
      return fitted;
    });
  }

  // ---- answering ----

  @Override
  public boolean implementsMoreEfficientBatchPrediction() {
    return true;
  }

  @Override
  public double[] distributionForInstance(Instance instance) throws Exception {
    return m_Outcome.ask(fitted -> given(fitted, fitted.answer(instance), 1))[0];
  }

  @Override
  public double[][] distributionsForInstances(Instances data) throws Exception {
    return m_Outcome.ask(fitted -> {
      Message answer = fitted.answer(data);
      UnlikeTraining.warn(this, answer.text("note"));
      return given(fitted, answer, data.numInstances());
    });
  }

  /** The distributions, zero where the answer is rejected: below -reject, else as the promise or the method has it. */
  private double[][] given(Fitted fitted, Message answer, int numInstances) throws Exception {
    double[][] distributions = fitted.distributions(answer, numInstances);
    double[] certainty = answer.doubles("certainty", numInstances);
    int[] rejected = answer.ints("rejected", numInstances);
    boolean[] isRejected = new boolean[numInstances];
    for (int row = 0; row < numInstances; row++) {
      isRejected[row] = Double.isNaN(m_Reject) ? rejected[row] != 0
          : certainty[row] < m_Reject || m_Reject == Double.POSITIVE_INFINITY;
      if (isRejected[row]) {
        Arrays.fill(distributions[row], 0);
      }
    }
    count(certainty, isRejected);
    return distributions;
  }

  private double threshold(Message answer) throws Exception {
    return Double.isNaN(m_Reject) ? answer.doubles("threshold", 1)[0] : m_Reject;
  }

  private synchronized void count(double[] certainty, boolean[] isRejected) {
    for (int row = 0; row < certainty.length; row++) {
      m_SumCertainty += certainty[row];
      m_NumRejected += isRejected[row] ? 1 : 0;
      m_NumAnswered++;
    }
  }

  // ---- what it says about itself ----

  @Override
  public String toString() {
    return m_Outcome.description();
  }

  @Override
  public String toSummaryString() {
    String tree = m_Classifier instanceof Summarizable ? ((Summarizable) m_Classifier).toSummaryString() : "";
    return tree + String.join(" ", ownOptions()) + "\n";
  }

  @Override
  public int graphType() {
    return m_Classifier instanceof Drawable ? ((Drawable) m_Classifier).graphType() : Drawable.NOT_DRAWABLE;
  }

  @Override
  public String graph() throws Exception {
    return m_Outcome.ask(fitted -> ((Drawable) m_Classifier).graph());
  }

  /** What the learner measures, and of the answers given since it was built the mean certainty and what was rejected. */
  @Override
  public Enumeration<String> enumerateMeasures() {
    List<String> measures = new ArrayList<>();
    if (m_Classifier instanceof AdditionalMeasureProducer) {
      measures.addAll(Collections.list(((AdditionalMeasureProducer) m_Classifier).enumerateMeasures()));
    }
    measures.add(CERTAINTY);
    measures.add(REJECTED);
    return Collections.enumeration(measures);
  }

  @Override
  public synchronized double getMeasure(String measure) {
    if (measure.equalsIgnoreCase(CERTAINTY)) {
      return m_SumCertainty / m_NumAnswered;
    }
    if (measure.equalsIgnoreCase(REJECTED)) {
      return 100.0 * m_NumRejected / m_NumAnswered;
    }
    if (m_Classifier instanceof AdditionalMeasureProducer) {
      return ((AdditionalMeasureProducer) m_Classifier).getMeasure(measure);
    }
    throw new IllegalArgumentException(measure + " is no measure of " + getClass().getSimpleName());
  }
}
