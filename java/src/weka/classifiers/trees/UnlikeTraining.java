package weka.classifiers.trees;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Warns of instances that are not like those of training. */
final class UnlikeTraining {
  private static final Set<String> GIVEN = ConcurrentHashMap.newKeySet();

  private UnlikeTraining() {}

  /** Warn on standard error, once per class and note; empty: there is nothing to warn of. */
  static void warn(PostProcessedTree classifier, String note) {
    String text = "Warning: " + classifier.getClass().getSimpleName() + " answers " + note;
    if (!note.isEmpty() && GIVEN.add(text)) {
      System.err.println(text);
    }
  }
}
