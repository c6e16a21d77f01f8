package weka.classifiers.trees;

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
 * where a text is its length in bytes, an int, and its UTF-8; all numbers are big-endian. wekaconf/in_weka/messages.py is
 * the other side.
 */
final class Message {
  private Message() {}

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

  /** IllegalArgumentException if the bytes are no message. */
  static Map<String, Object> unpacked(byte[] bytes) {
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
