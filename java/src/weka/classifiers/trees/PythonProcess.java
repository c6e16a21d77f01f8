package weka.classifiers.trees;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Python process that answers messages over its standard streams, each of them as
 *
 * <pre>number: int; length: int; message</pre>
 *
 * Answers may come in another order than the questions. The process ends when its standard input does, so it never
 * outlives the virtual machine; if it dies, the next question starts another.
 */
final class PythonProcess {
  /** Of the way to speak; the first message of the process must hold it. */
  static final int PROTOCOL = 3;

  /** The oldest Python 3 that wekaconf runs on, see pyproject.toml. */
  static final int OLDEST_PYTHON = 11;

  private static final int LONGEST_START = 120;
  private static final int LONGEST_LOOK = 10;
  private static final int LINES_KEPT = 20;

  private static final String REMEDY = "install wekaconf as its README says, then run 'wekaconf weka install', or set "
      + "WEKACONF_PYTHON to the full path of the Python that has it, and start Weka again";

  private static PythonProcess running;

  private final Process process;
  private final DataOutputStream questions;
  private final Map<Integer, CompletableFuture<byte[]>> waiting = new ConcurrentHashMap<>();
  private final ArrayDeque<String> lastLines = new ArrayDeque<>();
  private final CompletableFuture<byte[]> greeting;
  private final Thread errorReader;
  private int next;
  private volatile IOException end;

  private PythonProcess(List<String> command) throws IOException {
    process = new ProcessBuilder(command).start();
    questions = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
    greeting = expect(0);
    thread(this::listen, "wekaconf answers");
    errorReader = thread(this::readErrors, "wekaconf errors");
  }

  private static Thread thread(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** The answer; if the process dies over the question, another one is asked once. */
  static byte[] ask(byte[] message) throws Exception {
    PythonProcess asked = current(null);
    try {
      return asked.answer(message);
    } catch (IOException died) {
      try {
        return current(asked).answer(message);
      } catch (IOException again) {
        throw new Exception("the Python process of wekaconf ended while it was asked: " + again.getMessage(), again);
      }
    }
  }

  /** The process that is running, or a new one if there is none or it is the one that failed. */
  private static synchronized PythonProcess current(PythonProcess failed) throws Exception {
    if (running == null || running == failed || running.end != null || !running.process.isAlive()) {
      if (running != null) {
        running.process.destroyForcibly();
      }
      running = started();
    }
    return running;
  }

  private static PythonProcess started() throws Exception {
    List<String> command = command();
    String shown = String.join(" ", command);
    PythonProcess begun;
    try {
      begun = new PythonProcess(command);
    } catch (IOException error) {
      throw new Exception("wekaconf's Python did not start (" + shown + "): " + error.getMessage() + "; " + REMEDY);
    }
    try {
      begun.check(Message.unpacked(begun.greeting.get(LONGEST_START, TimeUnit.SECONDS)), shown);
      return begun;
    } catch (ExecutionException | IllegalArgumentException error) {
      String words = begun.lastWords(); // before it is destroyed, which closes its standard error
      begun.process.destroyForcibly();
      String reason = command.size() > 2 ? unfit(command.get(0)) : null;
      throw new Exception("wekaconf's Python did not start (" + shown + "): " + (reason == null ? words : reason)
          + "; " + REMEDY);
    } catch (TimeoutException error) {
      begun.process.destroyForcibly();
      throw new Exception("wekaconf's Python (" + shown + ") said nothing for " + LONGEST_START + " s; " + REMEDY);
    }
  }

  private void check(Map<String, Object> greeting, String shown) throws Exception {
    int[] protocol = (int[]) greeting.get("protocol");
    String[] version = (String[]) greeting.get("version");
    if (protocol == null || version == null || protocol.length != 1 || protocol[0] != PROTOCOL) {
      process.destroyForcibly();
      throw new Exception("the Python side (" + shown + ") is wekaconf "
          + (version == null || version.length == 0 ? "of an unknown version" : version[0]) + ", which speaks protocol "
          + (protocol == null || protocol.length == 0 ? "?" : protocol[0]) + "; these classifiers speak " + PROTOCOL
          + ". Bring both to one version: run 'wekaconf weka install' of the one that you want");
    }
  }

  /** Why a program cannot run wekaconf, whatever it was asked; null if it is a Python that can, or does not say. */
  private static String unfit(String program) {
    String said;
    try {
      Process asked = new ProcessBuilder(program, "--version").redirectErrorStream(true).start();
      asked.getOutputStream().close();
      if (!asked.waitFor(LONGEST_LOOK, TimeUnit.SECONDS)) {
        asked.destroyForcibly();
        return null;
      }
      said = new String(asked.getInputStream().readNBytes(1000), StandardCharsets.UTF_8);
    } catch (IOException error) {
      return null;
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      return null;
    }
    Matcher version = Pattern.compile("^Python (\\d{1,4})\\.(\\d{1,4})").matcher(said);
    if (!version.find()) {
      return "this is no Python";
    }
    int major = Integer.parseInt(version.group(1));
    boolean isOld = major < 3 || major == 3 && Integer.parseInt(version.group(2)) < OLDEST_PYTHON;
    return isOld ? "this is " + version.group() + "; wekaconf needs 3." + OLDEST_PYTHON + " or newer" : null;
  }

  /** The command of the Python that a property or the environment names, else wekaconf's own on the PATH. */
  private static List<String> command() throws Exception {
    String python = System.getProperty("wekaconf.python", System.getenv("WEKACONF_PYTHON"));
    python = python == null || python.isEmpty() ? ofPackage() : python;
    List<String> command = new ArrayList<>();
    if (python != null && !python.isEmpty()) {
      String found = new File(python).isAbsolute() ? python : onPath(python);
      if (found == null || !new File(found).isFile()) {
        String what = found != null && new File(found).isDirectory() ? "is a folder" : "is not there";
        throw new Exception("WEKACONF_PYTHON (or -Dwekaconf.python) names " + python + ", which " + what
            + "; name the Python that has wekaconf, with its full path");
      }
      command.add(found);
      command.add("-P");
      command.add("-m");
      command.add("wekaconf");
    } else {
      String found = onPath("wekaconf");
      if (found == null) {
        throw new Exception("this classifier needs Python with wekaconf, and no wekaconf is on the PATH; " + REMEDY);
      }
      command.add(found);
    }
    command.add("serve");
    return command;
  }

  /** The Python that installed this jar as a package of Weka's, null if none did or it is gone. */
  private static String ofPackage() {
    try {
      File jar = new File(PythonProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      String named = Files.readString(jar.toPath().resolveSibling("python.txt")).trim();
      return new File(named).isFile() ? named : null;
    } catch (IOException | URISyntaxException | RuntimeException error) {
      return null;
    }
  }

  /** The program in a folder of the PATH, but never one in the current folder. */
  private static String onPath(String program) {
    boolean isWindows = File.separatorChar == '\\';
    String[] endings = isWindows ? new String[] {".exe", ".bat", ".cmd", ""} : new String[] {""};
    File here = new File(System.getProperty("user.dir"));
    for (String folder : String.valueOf(System.getenv("PATH")).split(File.pathSeparator)) {
      if (folder.isEmpty() || !new File(folder).isAbsolute() || same(new File(folder), here)) {
        continue;
      }
      for (String ending : endings) {
        File file = new File(folder, program + ending);
        if (file.isFile() && file.canExecute()) {
          return file.getPath();
        }
      }
    }
    return null;
  }

  private static boolean same(File one, File other) {
    try {
      return one.getCanonicalFile().equals(other.getCanonicalFile());
    } catch (IOException error) {
      return true;
    }
  }

  private CompletableFuture<byte[]> expect(int number) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    if (end != null) {
      answer.completeExceptionally(end);
    }
    return answer;
  }

  private byte[] answer(byte[] message) throws Exception {
    CompletableFuture<byte[]> answer;
    int number;
    synchronized (questions) {
      next++;
      number = next;
      answer = expect(number);
      try {
        questions.writeInt(number);
        questions.writeInt(message.length);
        questions.write(message);
        questions.flush();
      } catch (IOException error) {
        waiting.remove(number);
        throw new IOException(lastWords(), error);
      }
    }
    try {
      return answer.get();
    } catch (ExecutionException error) {
      throw new IOException(lastWords(), error);
    } finally {
      waiting.remove(number);
    }
  }

  private void listen() {
    try (DataInputStream answers = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16))) {
      while (true) {
        int number = answers.readInt();
        int length = answers.readInt();
        if (length < 0) {
          throw new IOException("a length of " + length);
        }
        byte[] message = answers.readNBytes(length);
        if (message.length < length) {
          throw new EOFException();
        }
        CompletableFuture<byte[]> answer = waiting.get(number);
        if (answer == null) {
          throw new IOException("an answer to a question that was not asked");
        }
        answer.complete(message);
      }
    } catch (IOException error) {
      end = error;
      if (!(error instanceof EOFException)) { // destroying it closes its standard error, which says why it ended
        process.destroyForcibly();
      }
      for (CompletableFuture<byte[]> answer : waiting.values()) {
        answer.completeExceptionally(error);
      }
    }
  }

  private void readErrors() {
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.err.println(line);
        synchronized (lastLines) {
          lastLines.add(line);
          if (lastLines.size() > LINES_KEPT) {
            lastLines.remove();
          }
        }
      }
    } catch (IOException error) {
      return;
    }
  }

  /** The last line of its standard error, or how it ended. */
  private String lastWords() {
    try {
      process.waitFor(1, TimeUnit.SECONDS);
      errorReader.join(1000);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
    synchronized (lastLines) {
      if (!lastLines.isEmpty()) {
        return lastLines.getLast().replaceAll("[.\\s]+$", "");
      }
    }
    return process.isAlive() ? "its streams were closed" : "it ended with code " + process.exitValue();
  }
}
