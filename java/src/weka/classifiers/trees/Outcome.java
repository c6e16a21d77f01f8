package weka.classifiers.trees;

import java.io.Serializable;
import java.util.Set;

/** What became of building a classifier that Python serves: what was fitted, or why it has no answer. */
final class Outcome implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int LINE = 100;
  private static final Set<Class<?>> FOR_PEOPLE = Set.of(Exception.class, IllegalArgumentException.class);

  private final String name;
  private Fitted fitted;
  private String failure = "no classifier built yet";

  /** What builds a classifier. */
  interface Steps {
    Fitted run() throws Exception;
  }

  /** What is asked of it. */
  interface Question<T> {
    T of(Fitted fitted) throws Exception;
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
      throw exception(thrown);
    }
  }

  boolean isBuilt() {
    return fitted != null;
  }

  /** The answer to a question about what was fitted. */
  <T> T ask(Question<T> question) throws Exception {
    Fitted about = fitted();
    try {
      return question.of(about);
    } catch (Throwable thrown) {
      throw exception(thrown);
    }
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
    } catch (Throwable thrown) {
      return name + ": " + message(thrown);
    }
  }

  /** No Error, which would leave Weka's Explorer waiting. What JPype carries, Ctrl-C in Python, goes back as it is. */
  private static Exception exception(Throwable thrown) {
    boolean isPythons = thrown.getClass().getName().startsWith("org.jpype.");
    return isPythons || isWekas(thrown) ? (Exception) thrown : new Exception(message(thrown), thrown);
  }

  private static String message(Throwable thrown) {
    if (thrown instanceof OutOfMemoryError) {
      return folded("Java ran out of memory (" + thrown.getMessage() + ") with a heap of "
          + (Runtime.getRuntime().maxMemory() >> 20) + " MiB; start it with a larger one, such as -Xmx4g, or use fewer "
          + "instances");
    }
    boolean isForPeople = isWekas(thrown) || FOR_PEOPLE.contains(thrown.getClass());
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
