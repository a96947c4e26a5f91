package dev.kymo.importers.uftrace.data;

import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Facts of the whole directory, from its file {@code info}. Its header, in the byte order that it
 * names:
 *
 * <pre>
 *  0  u8[8] "Ftrace!\0"
 *  8  u32   version
 * 12  u16   size of this header
 * 14  u8    byte order: 1 little, 2 big
 * 15  u8    class: 1 = 32 bits, 2 = 64 bits
 * 16  u64   features
 * 24  u64   which lines follow
 * 32  u16   most calls on a stack, and padding
 * </pre>
 *
 * <p>Lines {@code key:value} follow; a key may have several.
 */
public final class InfoFile {
  /** What all of these files begin with. */
  public static final String MAGIC = "Ftrace!\0";

  private static final int HEADER = 40;
  private static final int MOST = 16 * 1024 * 1024;
  private static final int OLDEST = 3;
  private static final int NEWEST = 4;

  private final ByteOrder order;
  private final boolean wide;
  private final Map<String, String> lines = new HashMap<>();

  private InfoFile(ByteOrder order, boolean wide) {
    this.order = order;
    this.wide = wide;
  }

  /**
   * Reads the file.
   *
   * @throws ForeignException if it is not uftrace's, or of a version that is not known
   */
  public static InfoFile read(Path file) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST);
    }
    if (bytes.length < HEADER) {
      throw new ForeignException("header is not complete", file, bytes.length, "size=" + HEADER);
    }
    if (!new String(bytes, 0, MAGIC.length(), StandardCharsets.ISO_8859_1).equals(MAGIC)) {
      throw new ForeignException("not a file of uftrace", file, 0, "");
    }
    if (bytes[14] != 1 && bytes[14] != 2) {
      throw new ForeignException("byte order is not known", file, 14, "order=" + bytes[14]);
    }
    if (bytes[15] != 1 && bytes[15] != 2) {
      throw new ForeignException("class is neither 32 nor 64 bits", file, 15, "class=" + bytes[15]);
    }
    ByteOrder order = bytes[14] == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    ByteBuffer header = ByteBuffer.wrap(bytes).order(order);
    int version = header.getInt(8);
    if (version < OLDEST || version > NEWEST) {
      throw new ForeignException(
          "version is not known",
          file,
          8,
          "version=%d oldest=%d newest=%d".formatted(version, OLDEST, NEWEST));
    }
    int size = header.getShort(12) & 0xFFFF;
    if (size < HEADER || size > bytes.length) {
      throw new ForeignException("header has no such size", file, 12, "size=" + size);
    }
    InfoFile info = new InfoFile(order, bytes[15] == 2);
    info.readLines(new String(bytes, size, bytes.length - size, StandardCharsets.UTF_8));
    return info;
  }

  private void readLines(String text) {
    for (String line : text.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        String key = line.substring(0, colon);
        String value = line.substring(colon + 1);
        int equals = value.indexOf('=');
        boolean group = key.endsWith("info") && equals > 0;
        String name = group ? key + "." + value.substring(0, equals) : key;
        if (!value.startsWith("lines=")) {
          lines.put(name, group ? value.substring(equals + 1) : value);
        }
      }
    }
  }

  /** The value of a key: {@code cmdline}, {@code osinfo.kernel}; empty if it is not there. */
  public String get(String key) {
    return lines.getOrDefault(key, "");
  }

  /** Byte order of all files of the directory. */
  public ByteOrder order() {
    return order;
  }

  /** Bytes of an address in the program. */
  public int wordSize() {
    return wide ? 8 : 4;
  }
}
