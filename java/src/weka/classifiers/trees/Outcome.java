package weka.classifiers.trees;

import java.io.Serializable;

/** What became of building a classifier that Python serves: what was fitted, or why it has no answer. */
final class Outcome implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int LINE = 100;

  private final String name;
  private Fitted fitted;
  private String failure = "no classifier built yet";

  /** What builds a classifier. */
  interface Steps {
    Fitted run() throws Exception;
  }

  /** Of a classifier that is not built yet. */
  Outcome(Object classifier) {
    name = classifier.getClass().getSimpleName();
  }

  /** Takes the steps. A failure is thrown and also kept for who asks for an answer: ensembles on threads lose it. */
  void build(Steps steps) throws Exception {
    fitted = null;
    try {
      fitted = steps.run();
    } catch (Throwable thrown) {
      failure = message(thrown);
      // no Error, which would leave Weka's Explorer waiting
      throw isWekas(thrown) ? (Exception) thrown : new Exception(failure, thrown);
    }
  }

  boolean isBuilt() {
    return fitted != null;
  }

  /** What was fitted. */
  Fitted fitted() throws Exception {
    if (fitted == null) {
      throw new Exception(name + ": " + failure);
    }
    return fitted;
  }

  /** What the classifier prints. */
  String description() {
    if (fitted == null) {
      return name + ": " + failure;
    }
    try {
      return fitted.text();
    } catch (Exception error) {
      return name + ": " + error.getMessage();
    }
  }

  private static String message(Throwable thrown) {
    boolean isForPeople = isWekas(thrown) || thrown.getClass() == Exception.class;
    return folded(isForPeople && thrown.getMessage() != null ? thrown.getMessage() : thrown.toString());
  }

  private static boolean isWekas(Throwable thrown) {
    return thrown instanceof Exception && thrown.getClass().getName().startsWith("weka.");
  }

  /** A text in lines that a dialog can show. */
  static String folded(String text) {
    return folded(text, LINE);
  }

  /** A text in lines of at most that many characters, but for longer words. */
  static String folded(String text, int longest) {
    StringBuilder lines = new StringBuilder();
    int width = 0;
    for (String word : text.split(" ", -1)) {
      if (width > 0 && width + word.length() >= longest) {
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
}
