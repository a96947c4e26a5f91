package dev.kymo.importers.otf2.archive;

import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The anchor file of an archive, {@code NAME.otf2}, which says how its other files are read. Its
 * bytes, with numbers that have all their bytes and texts that end with 0:
 *
 * <pre>
 *   3 | order | "OTF2" 0 | format | trace format | version, 3 x 1 | size of event chunks, 8 | of
 *   definition chunks, 8 | substrate | compression | locations, 8 | global definitions, 8 | machine |
 *   creator | description
 *   format 2: properties, 4 | name and value of each | identifier, 8
 *   format 3: snapshots, 4 | thumbnails, 4 | 2
 * </pre>
 *
 * @param path of the anchor file itself
 * @param version of the library that has written it: {@code 3.0.2}
 * @param eventChunk bytes of a chunk of events
 * @param definitionChunk bytes of a chunk of definitions
 * @param definitions how many global ones there are
 */
public record Anchor(
    Path path,
    String version,
    long eventChunk,
    long definitionChunk,
    long locations,
    long definitions,
    String machine,
    String creator,
    String description,
    Map<String, String> properties,
    int snapshots,
    int thumbnails) {
  private static final String SUFFIX = ".otf2";
  private static final byte[] MAGIC = "OTF2\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int MOST_BYTES = 16 * 1024 * 1024;
  private static final int NEWEST = 2;
  private static final int POSIX = 1;
  private static final int UNCOMPRESSED = 1;

  public static boolean begins(byte[] head) {
    if (head.length < 2 + MAGIC.length || head[0] != 3 || (head[1] != 0x42 && head[1] != 0x23)) {
      return false;
    }
    return java.util.Arrays.equals(MAGIC, 0, MAGIC.length, head, 2, 2 + MAGIC.length);
  }

  public static Anchor read(Path path) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MOST_BYTES);
    }
    if (!begins(bytes)) {
      throw new ForeignException("file is no anchor of an OTF2 archive", path, 0, "");
    }
    ByteBuffer in =
        ByteBuffer.wrap(bytes)
            .order(bytes[1] == 0x42 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
            .position(2 + MAGIC.length);
    try {
      return read(path, in);
    } catch (BufferUnderflowException e) {
      throw new ForeignException("anchor file ends early", path, bytes.length, "");
    }
  }

  private static Anchor read(Path path, ByteBuffer in) throws ForeignException {
    int format = in.get() & 0xFF;
    int layout = in.get() & 0xFF;
    if (layout > NEWEST) {
      throw new ForeignException(
          "archive is newer than what is known of the format",
          path,
          in.position() - 1,
          "format=%d newest=%d".formatted(layout, NEWEST));
    }
    String version = "%d.%d.%d".formatted(in.get() & 0xFF, in.get() & 0xFF, in.get() & 0xFF);
    long eventChunk = positive(path, in);
    long definitionChunk = positive(path, in);
    same(path, in, "files of the archive are in containers, as of SIONlib", "substrate=", POSIX);
    same(path, in, "files of the archive are compressed", "compression=", UNCOMPRESSED);
    long locations = in.getLong();
    long definitions = in.getLong();
    String machine = text(in);
    String creator = text(in);
    String description = text(in);
    Map<String, String> properties = new TreeMap<>();
    if (format > 1) {
      long count = in.getInt() & 0xFFFFFFFFL;
      for (long i = 0; i < count; i++) {
        properties.put(text(in), text(in));
      }
      in.getLong(); // its identifier
    }
    int snapshots = format > 2 ? in.getInt() : 0;
    int thumbnails = format > 2 ? in.getInt() : 0;
    return new Anchor(
        path,
        version,
        eventChunk,
        definitionChunk,
        locations,
        definitions,
        machine,
        creator,
        description,
        properties,
        snapshots,
        thumbnails);
  }

  private static long positive(Path path, ByteBuffer in) throws ForeignException {
    long size = in.getLong();
    if (size <= 0) {
      throw new ForeignException(
          "size of chunks is not positive", path, in.position() - Long.BYTES, "size=" + size);
    }
    return size;
  }

  private static void same(Path path, ByteBuffer in, String problem, String fact, int wanted)
      throws ForeignException {
    int is = in.get() & 0xFF;
    if (is != wanted) {
      throw new ForeignException(problem, path, in.position() - 1, fact + is);
    }
  }

  private static String text(ByteBuffer in) {
    int from = in.position();
    while (in.get() != 0) {
      // goes on to the end of the text
    }
    byte[] text = new byte[in.position() - 1 - from];
    in.get(from, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private Path beside(String suffix) {
    String name = String.valueOf(path.getFileName());
    String base = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    return path.resolveSibling(base + suffix);
  }

  /** The file with the global definitions. */
  public Path definitionFile() {
    return beside(".def");
  }

  /** The file with the markers, which need not be there. */
  public Path markerFile() {
    return beside(".marker");
  }

  /** The file with a location's own definitions, which need not be there. */
  public Path definitionFile(long location) {
    return beside("").resolve(Long.toUnsignedString(location) + ".def");
  }

  public Path eventFile(long location) {
    return beside("").resolve(Long.toUnsignedString(location) + ".evt");
  }
}
