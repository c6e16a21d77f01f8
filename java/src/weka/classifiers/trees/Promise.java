package weka.classifiers.trees;

import java.io.Serializable;
import java.lang.StackWalker.StackFrame;
import java.util.LinkedHashMap;
import java.util.Map;
import weka.core.Instances;

/** The options of a promise: how many answers may be wrong, with which confidence, and how many instances show that. */
final class Promise implements Serializable {
  private static final long serialVersionUID = 1;

  /** The share of the training instances that is held out unless the user says another. */
  static final double USUAL_SHARE = 0.3;

  private static final String HELD_OUT = "held_out";

  /** The largest share of wrong answers, or one per class; empty: nothing is promised. */
  String targetError = "";

  /** The probability with which the target is kept; NaN: none is given. */
  double confidence = Double.NaN;

  /** The share of the training instances that is held out. */
  double calibrate = USUAL_SHARE;

  /**
   * Throws what is wrong with the options together, or with where the classifier is built.
   *
   * @param classifier its name
   * @param isRejecting whether the classifier has a threshold already
   */
  void check(String classifier, boolean isRejecting) throws Exception {
    if (targetError.isEmpty()) {
      if (!Double.isNaN(confidence) || calibrate != USUAL_SHARE) {
        String given = Double.isNaN(confidence) ? "-calibrate" : "-confidence";
        throw new Exception(given + " belongs to a promise: give " + classifier + " the option -target-error, too, such "
            + "as -target-error 0.05, or leave " + given + " out");
      }
      return;
    }
    if (Double.isNaN(confidence)) {
      throw new Exception("-target-error is a promise, so it needs a confidence: give " + classifier
          + " the option -confidence, too, such as -confidence 0.95");
    }
    if (isRejecting) {
      throw new Exception("-reject is a threshold, and -target-error finds one: give " + classifier
          + " one of the two");
    }
    String owner = owner();
    if (owner != null) {
      throw new Exception("-target-error promises how often " + classifier + " itself errs, on instances drawn as its "
          + "training instances, and " + owner + " changes these or its answers: leave -target-error out, or use "
          + classifier + " without " + owner);
    }
  }

  /** The outermost of Weka's meta classifiers that are building one; of one that does so on threads its base class. */
  private static String owner() {
    return StackWalker.getInstance().walk(frames -> frames.map(StackFrame::getClassName)
        .filter(name -> name.startsWith("weka.classifiers.meta.") || name.startsWith("weka.classifiers.Parallel"))
        .map(name -> name.replaceAll("^.*\\.|\\$.*$", "")).reduce((inner, outer) -> outer).orElse(null));
  }

  /** What {@link Fitted#fit} needs to know of the promise, with the drawn instances; empty if nothing is promised. */
  Map<String, Object> drawn(int numInstances) throws Exception {
    if (targetError.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put("target_error", new String[] {targetError});
    parts.put("confidence", new double[] {confidence});
    Map<String, Object> asked = new LinkedHashMap<>(parts);
    asked.put("calibrate", new double[] {calibrate});
    asked.put("n", new int[] {numInstances});
    int[] rows = Python.ask("hold_out", asked).ints(HELD_OUT);
    for (int row : rows) {
      if (row < 0 || row >= numInstances) {
        throw Message.misfit("the instance " + row + " of " + numInstances);
      }
    }
    parts.put(HELD_OUT, rows);
    return parts;
  }

  /** The instances without those that are held out. */
  static Instances growing(Instances data, Map<String, Object> drawn) {
    if (drawn.isEmpty()) {
      return data;
    }
    boolean[] isHeldOut = new boolean[data.numInstances()];
    for (int row : (int[]) drawn.get(HELD_OUT)) {
      isHeldOut[row] = true;
    }
    Instances growing = new Instances(data, isHeldOut.length);
    for (int row = 0; row < isHeldOut.length; row++) {
      if (!isHeldOut[row]) {
        growing.add(data.instance(row));
      }
    }
    return growing;
  }
}
