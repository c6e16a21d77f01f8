package weka.classifiers.trees;

import java.util.Collections;
import java.util.List;
import weka.classifiers.Classifier;
import weka.core.Option;
import weka.core.OptionHandler;
import weka.core.SelectedTag;
import weka.core.Tag;
import weka.core.Utils;

/** Reads, checks and writes the values of options. An empty text is an option that is left out. */
final class Options {
  private Options() {}

  static boolean flag(boolean usual, String option, String text) throws Exception {
    if (text.isEmpty()) {
      return usual;
    }
    if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
      throw new Exception("-" + option + ": expected true or false, got '" + text + "'");
    }
    return Boolean.parseBoolean(text.toLowerCase());
  }

  static int whole(int usual, String option, String text) throws Exception {
    long value = longWhole(usual, option, text);
    if (value != (int) value) {
      throw new Exception("-" + option + ": " + text + " is too large; at most " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  static long longWhole(long usual, String option, String text) throws Exception {
    try {
      return text.isEmpty() ? usual : Long.parseLong(text.trim());
    } catch (NumberFormatException error) {
      throw new Exception("-" + option + ": expected a whole number, got '" + text + "'");
    }
  }

  static double number(double usual, String option, String text) throws Exception {
    try {
      if (text.isEmpty()) {
        return usual;
      }
      return text.equals("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    } catch (NumberFormatException error) {
      throw new Exception("-" + option + ": expected a number, got '" + text + "'");
    }
  }

  /** Whether all options among the parts of a command line are those of a classifier. */
  static boolean areOf(Classifier classifier, List<String> parts) {
    if (!(classifier instanceof OptionHandler)) {
      return false;
    }
    List<Option> known = Collections.list(((OptionHandler) classifier).listOptions());
    return parts.stream().filter(part -> part.matches("-[A-Za-z].*"))
        .allMatch(part -> known.stream().anyMatch(option -> part.equals("-" + option.name())));
  }

  /** A command line of which parts with blanks are quoted. */
  static String joined(List<String> parts) {
    return Utils.joinOptions(parts.toArray(new String[0])).trim();
  }

  static String text(String usual, String text) {
    return text.isEmpty() ? usual : text;
  }

  /** The values of a choice, as Weka's windows show them. */
  static Tag[] tags(String... values) {
    Tag[] tags = new Tag[values.length];
    for (int i = 0; i < values.length; i++) {
      tags[i] = new Tag(i, values[i]);
    }
    return tags;
  }

  /** The value of a choice as windows take it. */
  static SelectedTag selected(Tag[] values, String text) {
    int at = 0;
    while (!values[at].getReadable().equals(text)) {
      at++;
    }
    return new SelectedTag(at, values);
  }

  /** The value of a choice, which must be one of those declared. */
  static String choice(Tag[] values, String usual, String option, String text) {
    if (text.isEmpty()) {
      return usual;
    }
    StringBuilder valid = new StringBuilder();
    for (Tag value : values) {
      String known = value.getReadable();
      if (known.equals(text)) {
        return known;
      }
      valid.append(valid.length() == 0 ? "" : ", ").append(known);
    }
    throw new IllegalArgumentException("-" + option + ": expected one of " + valid + ", got '" + text + "'");
  }

  /** A number as it is written: without a fraction if it has none. */
  static String text(double number) {
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf" : "-inf";
    }
    return number == Math.rint(number) && Math.abs(number) < 1e15 ? String.valueOf((long) number)
        : String.valueOf(number);
  }

  static void check(String option, double value, double low, double high, boolean isOpen, String valid) {
    if (isOpen ? !(low < value && value < high) : !(low <= value && value <= high)) {
      throw new IllegalArgumentException("-" + option + ": expected " + valid + ", got " + text(value));
    }
  }

  static void checkOrNone(String option, String text, double low, double high, boolean isOpen, String valid) {
    if (text.equals("none")) {
      return;
    }
    try {
      check(option, Double.parseDouble(text), low, high, isOpen, valid);
    } catch (NumberFormatException error) {
      throw new IllegalArgumentException("-" + option + ": expected " + valid + ", got '" + text + "'");
    }
  }
}
