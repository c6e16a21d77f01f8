package weka.classifiers.trees;

import java.lang.StackWalker.StackFrame;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import weka.core.Attribute;

/** Warns of Weka's meta classifiers that take a rejected answer, a distribution of zeros, for the first class. */
final class RejectionWarning {
  private static final Map<String, String> OWNERS = Map.of(
      "weka.classifiers.meta.AdaBoostM1", "AdaBoostM1",
      "weka.classifiers.meta.CostSensitiveClassifier", "CostSensitiveClassifier with -M");
  private static final Set<String> GIVEN = ConcurrentHashMap.newKeySet();

  private RejectionWarning() {}

  /** Those that are building a classifier on this thread, as people call them. */
  static Set<String> owners() {
    return StackWalker.getInstance().walk(frames -> frames.map(StackFrame::getClassName)
        .filter(OWNERS::containsKey).map(OWNERS::get).collect(Collectors.toSet()));
  }

  /** Warn, once per class and owner, if the classifier rejects answers below the threshold; NaN: it has none. */
  static void warn(PostProcessedTree classifier, double threshold, Set<String> owners, Attribute target) {
    if (!(threshold > 0)) {
      return;
    }
    String name = classifier.getClass().getSimpleName();
    for (String owner : owners) {
      if (GIVEN.add(name + " in " + owner)) {
        System.err.println("Warning: " + name + " gives no answer below the certainty " + Options.text(threshold)
            + ", which " + owner + " takes for the first class, " + target.value(0) + "; give " + name
            + " the option -reject 0, so that it always predicts");
      }
    }
  }
}
