package weka.classifiers.trees;

import weka.core.WekaException;

/** What a classifier that Python serves says when it has no answer. */
final class Refusals {
  static final String NOT_BUILT = "it was not built";

  private static final int LINE = 100;

  private Refusals() {}

  /** The words of a failure, in lines that a dialog can show. */
  static String message(Throwable failure) {
    boolean isForPeople = failure instanceof WekaException || failure.getClass() == Exception.class;
    String message = isForPeople && failure.getMessage() != null ? failure.getMessage() : failure.toString();
    StringBuilder lines = new StringBuilder();
    int width = 0;
    for (String word : message.split(" ", -1)) {
      if (width > 0 && width + word.length() >= LINE) {
        lines.append('\n');
        width = 0;
      } else if (width > 0) {
        lines.append(' ');
      }
      lines.append(word);
      width += word.length() + 1;
    }
    return lines.toString();
  }

  /** An exception with that message: an Error would leave Weka's Explorer waiting. */
  static Exception exception(Throwable failure, String message) {
    return failure instanceof WekaException ? new WekaException(message, failure) : new Exception(message, failure);
  }

  /** Throws what went wrong when the classifier was built, which Weka does not always tell. */
  static void check(Object classifier, String failure) throws Exception {
    if (failure != null) {
      throw new Exception(classifier.getClass().getSimpleName() + " has no answer: " + failure);
    }
  }

  /** What a classifier prints. */
  static String description(Object classifier, Fitted fitted, String failure) {
    String name = classifier.getClass().getSimpleName();
    if (fitted == null) {
      return name + ": " + failure;
    }
    try {
      return fitted.text();
    } catch (Exception error) {
      return name + ": " + error.getMessage();
    }
  }
}
