package dev.kymo.importers.ctf.metadata;

import dev.kymo.importers.target.ForeignException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A metadata file: text, or packets that have pieces of it.
 *
 * <pre>
 *   0   4   u32 magic = 0x75D11D57, in the byte order of the trace
 *   4  16   UUID of the trace
 *  20   4   u32 checksum
 *  24   4   u32 content size in bits, this header included
 *  28   4   u32 packet size in bits
 *  32   5   u8 compression = 0, encryption = 0, checksum = 0, major, minor
 *  37   n   text
 * </pre>
 *
 * @param text of the metadata
 * @param big byte order of the packets; null = it does not lie in packets
 * @param uuid of the packets; null = none
 */
public record MetadataFile(Path path, String text, @Nullable Boolean big, @Nullable UUID uuid) {
  private static final int MAGIC = 0x75D11D57;
  private static final int HEADER = 37;
  private static final int CONTENT_SIZE = 24;
  private static final int PACKET_SIZE = 28;
  private static final int SCHEMES = 32;
  private static final int MAJOR = 35;
  private static final int MINOR = 36;

  /** Larger ones are nobody's; LTTng's largest have some hundred kilobytes. */
  private static final int MOST = 64 * 1024 * 1024;

  /**
   * Reads a metadata file.
   *
   * @throws ForeignException if it is too large, or its packets are damaged
   */
  public static MetadataFile read(Path path) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MOST + 1);
    }
    if (bytes.length > MOST) {
      throw new ForeignException("metadata is too large", path, MOST, "max=" + MOST);
    }
    Boolean big = order(bytes);
    if (big == null) {
      return new MetadataFile(path, text(path, bytes), null, null);
    }
    return packets(path, bytes, big);
  }

  /** Byte order of packets; null if these bytes begin no packet. */
  public static @Nullable Boolean order(byte[] bytes) {
    if (bytes.length < Integer.BYTES) {
      return null;
    }
    int magic = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    return magic == MAGIC ? Boolean.FALSE : magic == Integer.reverseBytes(MAGIC) ? true : null;
  }

  private static MetadataFile packets(Path path, byte[] bytes, boolean big) throws IOException {
    ByteBuffer in =
        ByteBuffer.wrap(bytes).order(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    UUID uuid = null;
    int at = 0;
    while (at < bytes.length) {
      if (bytes.length - at < HEADER || in.getInt(at) != MAGIC) {
        throw new ForeignException("no packet of metadata", path, at, "");
      }
      long content = in.getInt(at + CONTENT_SIZE) & 0xFFFFFFFFL;
      long size = in.getInt(at + PACKET_SIZE) & 0xFFFFFFFFL;
      check(path, bytes, at, content, size);
      UUID own = id(bytes, at + Integer.BYTES);
      if (uuid != null && !uuid.equals(own)) {
        throw new ForeignException("packets of metadata have other UUIDs", path, at, "uuid=" + own);
      }
      uuid = own;
      text.write(bytes, at + HEADER, (int) (content / Byte.SIZE) - HEADER);
      at += (int) (size / Byte.SIZE);
    }
    boolean none = uuid == null || uuid.equals(new UUID(0, 0));
    return new MetadataFile(path, text(path, text.toByteArray()), big, none ? null : uuid);
  }

  private static void check(Path path, byte[] bytes, int at, long content, long size)
      throws ForeignException {
    String facts = "content=" + content + " packet=" + size + " bits";
    if (content % Byte.SIZE != 0
        || size % Byte.SIZE != 0
        || content < HEADER * Byte.SIZE
        || content > size
        || size / Byte.SIZE > bytes.length - at) {
      throw new ForeignException("packet of metadata has a wrong size", path, at, facts);
    }
    if (bytes[at + SCHEMES] != 0 || bytes[at + SCHEMES + 1] != 0) {
      throw new ForeignException("metadata is compressed or encrypted", path, at + SCHEMES, "");
    }
    int major = bytes[at + MAJOR];
    int minor = bytes[at + MINOR];
    if (!(major == 1 && minor == 8) && !(major == 2 && minor == 0)) {
      String version = "version=" + major + "." + minor;
      throw new ForeignException("metadata has an unknown version", path, at + MAJOR, version);
    }
  }

  /** The UUID whose 16 bytes are at an offset. */
  public static UUID id(byte[] bytes, int at) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new UUID(in.getLong(at), in.getLong(at + Long.BYTES));
  }

  private static String text(Path path, byte[] bytes) throws ForeignException {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        throw new ForeignException("metadata has a character of value 0", path, i, "");
      }
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
