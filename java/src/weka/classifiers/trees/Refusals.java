package weka.classifiers.trees;

/** What a classifier that Python serves says when it has no answer. */
final class Refusals {
  static final String NOT_BUILT = "it was not built";

  private static final int LINE = 100;

  private Refusals() {}

  /** The words of a failure, in lines that a dialog can show. */
  static String message(Throwable failure) {
    boolean isForPeople = isWekas(failure) || failure.getClass() == Exception.class;
    return folded(isForPeople && failure.getMessage() != null ? failure.getMessage() : failure.toString());
  }

  private static boolean isWekas(Throwable failure) {
    return failure instanceof Exception && failure.getClass().getName().startsWith("weka.");
  }

  /** A text in lines that a dialog can show. */
  static String folded(String text) {
    StringBuilder lines = new StringBuilder();
    int width = 0;
    for (String word : text.split(" ", -1)) {
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

  /** What to throw for a failure: Weka's own exceptions as they are, no Error, which would leave its Explorer waiting. */
  static Exception exception(Throwable failure, String message) {
    return isWekas(failure) ? (Exception) failure : new Exception(message, failure);
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
