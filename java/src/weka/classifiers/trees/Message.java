package weka.classifiers.trees;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is said to Python and what it answers: named arrays of bytes, int, double or texts, one after another as
 *
 * <pre>name: text; kind: byte, one of "b", "i", "d", "s"; length: int; elements</pre>
 *
 * where a text is its length in bytes, an int, and its UTF-8; all numbers are big-endian. wekaconf/in_weka/_messages.py is
 * the other side.
 */
final class Message {
  private static final Map<Class<?>, String> KINDS = Map.of(
      byte[].class, "bytes", int[].class, "whole numbers", double[].class, "numbers", String[].class, "texts");

  private final Map<String, Object> parts;

  private Message(Map<String, Object> parts) {
    this.parts = parts;
  }

  static byte[] packed(Map<String, ?> parts) {
    List<byte[]> texts = new ArrayList<>();
    long size = 0;
    for (Map.Entry<String, ?> part : parts.entrySet()) {
      size += 9 + utf8(part.getKey(), texts);
      Object array = part.getValue();
      if (array instanceof byte[]) {
        size += ((byte[]) array).length;
      } else if (array instanceof int[]) {
        size += 4L * ((int[]) array).length;
      } else if (array instanceof double[]) {
        size += 8L * ((double[]) array).length;
      } else {
        for (String text : (String[]) array) {
          size += 4 + utf8(text, texts);
        }
      }
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "these data need " + size + " bytes, and a message to Python holds 2 GiB at most; use fewer instances");
    }
    ByteBuffer all = ByteBuffer.allocate((int) size);
    int next = 0;
    for (Map.Entry<String, ?> part : parts.entrySet()) {
      putText(all, texts.get(next++));
      Object array = part.getValue();
      if (array instanceof byte[]) {
        all.put((byte) 'b').putInt(((byte[]) array).length).put((byte[]) array);
      } else if (array instanceof int[]) {
        int[] ints = (int[]) array;
        all.put((byte) 'i').putInt(ints.length).asIntBuffer().put(ints);
        all.position(all.position() + 4 * ints.length);
      } else if (array instanceof double[]) {
        double[] doubles = (double[]) array;
        all.put((byte) 'd').putInt(doubles.length).asDoubleBuffer().put(doubles);
        all.position(all.position() + 8 * doubles.length);
      } else {
        int count = ((String[]) array).length;
        all.put((byte) 's').putInt(count);
        for (int t = 0; t < count; t++) {
          putText(all, texts.get(next++));
        }
      }
    }
    return all.array();
  }

  private static int utf8(String text, List<byte[]> texts) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    texts.add(bytes);
    return bytes.length;
  }

  private static void putText(ByteBuffer all, byte[] text) {
    all.putInt(text.length).put(text);
  }

  /** Throws {@link #misfit} if the bytes are no message. */
  static Message unpacked(byte[] bytes) throws Exception {
    try {
      return new Message(parts(bytes));
    } catch (IllegalArgumentException error) {
      throw misfit("something that is no message (" + error.getMessage() + ")");
    }
  }

  /** What is thrown where Python answered something else than was asked for. */
  static Exception misfit(String what) {
    return new Exception("wekaconf's Python side answered with " + what + "; install wekaconf and Weka's package wekaconf "
        + "in the same version");
  }

  boolean has(String name) {
    return parts.containsKey(name);
  }

  byte[] bytes(String name) throws Exception {
    return part(name, byte[].class);
  }

  int[] ints(String name) throws Exception {
    return part(name, int[].class);
  }

  int[] ints(String name, long length) throws Exception {
    return part(name, int[].class, length);
  }

  double[] doubles(String name, long length) throws Exception {
    return part(name, double[].class, length);
  }

  String text(String name) throws Exception {
    return part(name, String[].class, 1)[0];
  }

  private <T> T part(String name, Class<T> kind, long length) throws Exception {
    T part = part(name, kind);
    if (Array.getLength(part) != length) {
      throw misfit(shown(name, part) + " where " + length + " were expected");
    }
    return part;
  }

  private <T> T part(String name, Class<T> kind) throws Exception {
    Object part = parts.get(name);
    if (!kind.isInstance(part)) {
      throw misfit(shown(name, part) + " where " + KINDS.get(kind) + " were expected");
    }
    return kind.cast(part);
  }

  private static String shown(String name, Object part) {
    return part == null ? "no '" + name + "'"
        : "'" + name + "' of " + Array.getLength(part) + " " + KINDS.get(part.getClass());
  }

  private static Map<String, Object> parts(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes);
    Map<String, Object> parts = new LinkedHashMap<>();
    while (all.hasRemaining()) {
      String name = text(all);
      need(all, 5);
      byte kind = all.get();
      int length = all.getInt();
      switch (kind) {
        case 'b':
          parts.put(name, take(all, length));
          break;
        case 'i':
          need(all, 4L * length);
          int[] ints = new int[length];
          all.asIntBuffer().get(ints);
          all.position(all.position() + 4 * length);
          parts.put(name, ints);
          break;
        case 'd':
          need(all, 8L * length);
          double[] doubles = new double[length];
          all.asDoubleBuffer().get(doubles);
          all.position(all.position() + 8 * length);
          parts.put(name, doubles);
          break;
        case 's':
          need(all, 4L * length);
          String[] texts = new String[length];
          for (int t = 0; t < length; t++) {
            texts[t] = text(all);
          }
          parts.put(name, texts);
          break;
        default:
          throw new IllegalArgumentException("unknown kind of array " + kind);
      }
    }
    return parts;
  }

  private static String text(ByteBuffer all) {
    need(all, 4);
    return new String(take(all, all.getInt()), StandardCharsets.UTF_8);
  }

  private static byte[] take(ByteBuffer all, int length) {
    need(all, length);
    byte[] taken = new byte[length];
    all.get(taken);
    return taken;
  }

  private static void need(ByteBuffer all, long size) {
    if (size < 0 || size > all.remaining()) {
      throw new IllegalArgumentException("a length of " + size + " bytes where " + all.remaining() + " are left");
    }
  }
}
