package dev.kymo.network.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Takes frames apart. What it returns is good until the next frame. Used by one thread. */
public final class FrameReader {
  private static final int USUAL = 1 << 12;

  private final InputStream in;
  private byte[] bytes = new byte[USUAL];
  private ByteBuffer content = ByteBuffer.wrap(bytes);
  private long taken;

  public FrameReader(InputStream in) {
    this.in = in;
  }

  /**
   * Waits for the next frame.
   *
   * @param largest the most bytes it may have
   * @throws EOFException if there is none
   */
  public FrameType next(int largest) throws IOException {
    read(FrameType.HEADER);
    FrameType type = FrameType.of(bytes[0]);
    int length = ByteBuffer.wrap(bytes).getInt(1);
    if (length < 0 || length > largest) {
      throw new ProtocolException("frame is too large: type=" + type + " bytes=" + length);
    }
    if (length > bytes.length) {
      bytes = new byte[Math.max(length, Math.min(2 * bytes.length, FrameType.LARGEST))];
    }
    read(length);
    content = ByteBuffer.wrap(bytes, 0, length);
    if (type == FrameType.PACKED) {
      unpack(largest);
      return FrameType.WRITE;
    }
    return type;
  }

  private void unpack(int largest) throws ProtocolException {
    int length = u32();
    if (length > largest) {
      throw new ProtocolException("frame is too large: unpacked bytes=" + length);
    }
    byte[] packed = new byte[content.remaining()];
    content.get(packed);
    content = ByteBuffer.wrap(Packing.unpacked(packed, length));
  }

  private void read(int length) throws IOException {
    if (in.readNBytes(bytes, 0, length) < length) {
      throw new EOFException("the connection has ended");
    }
    taken += length;
  }

  /** All bytes of the frames so far. */
  public long taken() {
    return taken;
  }

  public int u16() throws ProtocolException {
    return has(Short.BYTES).getShort() & 0xffff;
  }

  /** The next u32; more than an {@code int} holds is refused. */
  public int u32() throws ProtocolException {
    int value = has(Integer.BYTES).getInt();
    if (value < 0) {
      throw new ProtocolException("number is too large: value=" + Integer.toUnsignedString(value));
    }
    return value;
  }

  /** The next u64, as its bits. */
  public long u64() throws ProtocolException {
    return has(Long.BYTES).getLong();
  }

  public String text() throws ProtocolException {
    int length = u16();
    ByteBuffer utf8 = has(length).slice(content.position(), length);
    content.position(content.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new ProtocolException("text is not UTF-8: bytes=" + length);
    }
  }

  public ByteBuffer rest() {
    return content;
  }

  private ByteBuffer has(int length) throws ProtocolException {
    if (content.remaining() < length) {
      throw new ProtocolException("frame is too short: missing=" + (length - content.remaining()));
    }
    return content;
  }
}
