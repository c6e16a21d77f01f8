package weka.classifiers.trees;

import java.util.LinkedHashMap;
import java.util.Map;

/** The Python side, which fits the methods and answers. */
public final class Python {
  /** Carries a message over and brings the answer back; see {@link Message}. */
  public interface Handler {
    byte[] ask(byte[] message) throws Exception;
  }

  private static volatile Handler handler;

  private Python() {}

  /** In a virtual machine that Python runs: who answers. Without it a Python process is started. */
  public static void setHandler(Handler handler) {
    Python.handler = handler;
  }

  /**
   * Ask for an action.
   *
   * @throws Exception Python refuses, fails or cannot be reached; the message is for people
   */
  static Map<String, Object> ask(String action, Map<String, ?> parts) throws Exception {
    Map<String, Object> asked = new LinkedHashMap<>();
    asked.put("action", new String[] {action});
    asked.putAll(parts);
    byte[] message = Message.packed(asked);
    Handler current = handler;
    byte[] answer = current == null ? PythonProcess.ask(message) : current.ask(message);
    Map<String, Object> answered;
    try {
      answered = Message.unpacked(answer);
    } catch (IllegalArgumentException error) {
      throw new Exception("wekaconf's Python side answered with something that is no message; install wekaconf and "
          + "Weka's package wekaconf in the same version", error);
    }
    String[] refusal = (String[]) answered.get("refused");
    if (refusal != null) {
      throw new Exception(refusal[0]);
    }
    return answered;
  }
}
