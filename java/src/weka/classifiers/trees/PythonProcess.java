package weka.classifiers.trees;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
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

  /** Seconds after which a question looks whether somebody is left to answer it. */
  private static final int LOOK = 1;

  private static final String REMEDY = "install wekaconf as its README says, then run 'wekaconf weka install', or set "
      + "WEKACONF_PYTHON to the full path of the Python that has it, and start Weka again";

  private static PythonProcess running;

  private final Process process;
  private final DataOutputStream questions;
  private final Map<Integer, CompletableFuture<byte[]>> waiting = new ConcurrentHashMap<>();
  private final ArrayDeque<String> lastLines = new ArrayDeque<>();
  private final CompletableFuture<byte[]> greeting;
  private final Thread listener;
  private final Thread errorReader;
  private int next;

  /** What is wrong with what the process wrote; null as long as nothing is. */
  private volatile String fault;

  private PythonProcess(List<String> command) throws IOException {
    process = new ProcessBuilder(command).start();
    try {
      questions = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
      greeting = expect(0);
      listener = thread(this::listen, "wekaconf answers");
      errorReader = thread(this::readErrors, "wekaconf errors");
    } catch (Throwable thrown) { // no memory for a thread
      process.destroyForcibly();
      throw thrown;
    }
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
    if (running == null || running == failed || !running.listener.isAlive() || !running.process.isAlive()) {
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
      begun.greet(command, shown);
      return begun;
    } catch (Throwable thrown) {
      begun.process.destroyForcibly();
      throw thrown;
    }
  }

  private void greet(List<String> command, String shown) throws Exception {
    try {
      check(Message.unpacked(received(greeting, LONGEST_START)), shown);
    } catch (IOException error) {
      String reason = command.size() > 2 ? unfit(command.get(0)) : null;
      throw new Exception("wekaconf's Python did not start (" + shown + "): "
          + (reason == null ? error.getMessage() : reason) + "; " + REMEDY);
    } catch (TimeoutException error) {
      throw new Exception("wekaconf's Python (" + shown + ") said nothing for " + LONGEST_START + " s; " + REMEDY);
    }
  }

  private static void check(Message greeting, String shown) throws Exception {
    int protocol = greeting.ints("protocol", 1)[0];
    if (protocol != PROTOCOL) {
      throw new Exception("the Python side (" + shown + ") is wekaconf " + greeting.text("version")
          + ", which speaks protocol " + protocol + "; these classifiers speak " + PROTOCOL
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
      InputStream printed = asked.getInputStream(); // of which a process that it has left behind would keep the end open
      said = new String(printed.readNBytes(Math.min(1000, printed.available())), StandardCharsets.UTF_8);
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
        throw new IOException(lastWords(), error);
      } catch (Throwable thrown) { // a part of the question may be on its way, and the next one would be taken for the rest
        process.destroyForcibly();
        throw thrown;
      }
    }
    return received(answer, Integer.MAX_VALUE);
  }

  /** An answer; IOException if nobody is left who could give it. */
  private byte[] received(CompletableFuture<byte[]> answer, int longest) throws Exception {
    for (int waited = 0; waited < longest; waited += LOOK) {
      boolean isOver = !listener.isAlive() || !process.isAlive();
      try {
        return answer.get(LOOK, TimeUnit.SECONDS);
      } catch (ExecutionException error) {
        if (error.getCause() instanceof Error) {
          throw (Error) error.getCause();
        }
        throw new IOException(lastWords(), error);
      } catch (TimeoutException error) {
        if (isOver) {
          throw new IOException(lastWords(), error);
        }
      }
    }
    throw new TimeoutException();
  }

  /** Ends with what the process writes. Whatever ends it, memory for one, the process goes too; see {@link #received}. */
  private void listen() {
    try (DataInputStream answers = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16))) {
      while (true) {
        ByteBuffer head = ByteBuffer.allocate(2 * Integer.BYTES);
        answers.readFully(head.array());
        int number = head.getInt();
        int length = head.getInt();
        CompletableFuture<byte[]> answer = waiting.get(number);
        if (answer == null || length < 0) {
          String shown = new String(head.array(), StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?");
          fault = "it wrote '" + shown + "' to its standard output where an answer should begin";
          throw new IOException(fault);
        }
        answer.complete(content(answers, length, answer));
        waiting.remove(number);
      }
    } catch (EOFException error) { // destroying it would close its standard error, which says why it ended
      end(error);
    } catch (Throwable thrown) {
      process.destroyForcibly();
      end(new IOException(thrown));
    }
  }

  private static byte[] content(DataInputStream answers, int length, CompletableFuture<byte[]> answer)
      throws IOException {
    try {
      byte[] message = new byte[length];
      answers.readFully(message);
      return message;
    } catch (OutOfMemoryError error) { // of another process, too, so that one is not asked
      answer.completeExceptionally(error);
      throw error;
    }
  }

  private void end(IOException error) {
    for (CompletableFuture<byte[]> answer : waiting.values()) {
      answer.completeExceptionally(error);
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
      process.destroyForcibly(); // nobody reads from now on, so it would wait for room
    } catch (OutOfMemoryError error) {
      fault = "Java has no memory for a line of its standard error";
      process.destroyForcibly();
    }
  }

  /** What is wrong with what it wrote, else the last line of its standard error, else how it ended. */
  private String lastWords() {
    if (fault != null) {
      return fault;
    }
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
