package weka.classifiers.trees;

import java.io.Serializable;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import weka.classifiers.Classifier;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.OptionHandler;
import weka.core.SparseInstance;
import weka.core.Utils;
import weka.core.Version;

/** What Python has fitted: the bytes of wekaconf's model file, and the questions that can be asked about them. */
final class Fitted implements Serializable {
  private static final long serialVersionUID = 1;

  private final byte[] model;
  private final Instances header;
  private transient byte[] key;

  private Fitted(byte[] model, Instances header) {
    this.model = model;
    this.header = header;
  }

  /**
   * Fit a method.
   *
   * @param method its name
   * @param params options, name and value alternating
   * @param learner a built learner, or one of wekaconf's own, which need not be built
   * @param promise what {@link Promise#drawn} gives, with the numbers of the instances that it holds out
   */
  static Fitted fit(String method, String[] params, Classifier learner, Instances data, Map<String, Object> promise)
      throws Exception {
    Instances train = new Instances(data);
    if (promise.isEmpty()) {
      train.deleteWithMissingClass();
    }
    Map<String, Object> asked = new LinkedHashMap<>(promise);
    asked.put("method", new String[] {method});
    asked.put("params", params);
    if (learner instanceof PythonTree) {
      asked.put("learner", ((PythonTree) learner).learner());
      Outcome grown = ((PythonTree) learner).outcome();
      if (grown.isBuilt()) {
        asked.put("tree", grown.fitted().model);
      }
    } else {
      String options = Utils.joinOptions(((OptionHandler) learner).getOptions());
      asked.put("learner", new String[] {learner.getClass().getName(), options, Version.VERSION});
      asked.putAll(Exports.trees(learner, train));
    }
    asked.putAll(Exports.instances(train));
    return new Fitted(Python.ask("fit", asked).bytes("model"), new Instances(data, 0));
  }

  /** "distributions", rows concatenated, "certainty" and "rejected" of one instance. */
  Message answer(Instance instance) throws Exception {
    check(instance.numAttributes());
    return ask("answer", instance.toDoubleArray(), instance instanceof SparseInstance ? new int[] {0} : new int[0]);
  }

  /** "distributions", rows concatenated, "certainty" and "rejected" of all instances. */
  Message answer(Instances data) throws Exception {
    check(data.numAttributes());
    return ask("answer", Exports.cells(data), Exports.sparseRows(data));
  }

  private void check(int width) throws Exception {
    if (width != header.numAttributes()) {
      throw new Exception(
          "expected the " + header.numAttributes() + " attributes of the training data, got " + width);
    }
  }

  /** The tree, and what was learned, in words. */
  String text() throws Exception {
    return ask("describe", new double[0], new int[0]).text("text");
  }

  /** The tree in the language of GraphViz, as Weka writes it. */
  String graph() throws Exception {
    return ask("describe", new double[0], new int[0]).text("graph");
  }

  /** Python keeps the models that were asked last, and asks for others. */
  private Message ask(String action, double[] cells, int[] sparseRows) throws Exception {
    if (key == null) {
      key = MessageDigest.getInstance("SHA-256").digest(model);
    }
    Map<String, Object> asked = new LinkedHashMap<>();
    asked.put("key", key);
    asked.put("cells", cells);
    asked.put("sparse_rows", sparseRows);
    asked.put("java", new int[] {Runtime.version().feature()});
    Message answer = Python.ask(action, asked);
    if (answer.has("unknown")) {
      asked.put("model", model);
      answer = Python.ask(action, asked);
    }
    return answer;
  }

  /** The distributions of so many instances in an answer. */
  double[][] distributions(Message answer, int numInstances) throws Exception {
    int wide = header.numClasses();
    double[] all = answer.doubles("distributions", (long) numInstances * wide);
    double[][] rows = new double[numInstances][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = Arrays.copyOfRange(all, row * wide, (row + 1) * wide);
    }
    return rows;
  }
}
