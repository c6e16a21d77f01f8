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
  static Message ask(String action, Map<String, ?> parts) throws Exception {
    Map<String, Object> asked = new LinkedHashMap<>();
    asked.put("action", new String[] {action});
    asked.putAll(parts);
    byte[] message = Message.packed(asked);
    Handler current = handler;
    Message answer = Message.unpacked(current == null ? PythonProcess.ask(message) : current.ask(message));
    if (answer.has("refused")) {
      throw new Exception(answer.text("refused"));
    }
    return answer;
  }
}
