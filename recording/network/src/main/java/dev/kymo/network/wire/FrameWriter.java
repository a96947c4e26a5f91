package dev.kymo.network.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Puts frames together. Used by one thread. */
public final class FrameWriter {
  private static final int LONGEST_HEAD = 1 << 12;

  private final OutputStream out;
  private final @Nullable Packing packing;
  private final ByteBuffer head = ByteBuffer.allocate(LONGEST_HEAD);
  private long sent;

  /** Sends frames as they are. */
  public FrameWriter(OutputStream out) {
    this(out, null);
  }

  /** Packs what is written into files, if that pays. */
  public FrameWriter(OutputStream out, @Nullable Packing packing) {
    this.out = out;
    this.packing = packing;
  }

  /** Begins a frame; what follows until {@link #end} is its content. */
  public FrameWriter begin(FrameType type) {
    head.clear().put(type.number()).putInt(0);
    return this;
  }

  public FrameWriter u16(int value) {
    head.putShort((short) value);
    return this;
  }

  public FrameWriter u32(int value) {
    head.putInt(value);
    return this;
  }

  public FrameWriter u64(long value) {
    head.putLong(value);
    return this;
  }

  public FrameWriter text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    u16(utf8.length);
    head.put(utf8);
    return this;
  }

  /** Ends a frame that has no other bytes. */
  public void end() throws IOException {
    end(new byte[0], 0);
  }

  /** Ends a frame with some bytes of an array. */
  public void end(byte[] bytes, int length) throws IOException {
    int own = head.position() - FrameType.HEADER;
    if (packing == null
        || head.get(0) != FrameType.WRITE.number()
        || !packing.isFor(own + length)) {
      write(bytes, length);
      return;
    }
    byte[] content = new byte[own + length];
    head.get(FrameType.HEADER, content, 0, own);
    System.arraycopy(bytes, 0, content, own, length);
    byte[] packed = packing.packed(content);
    begin(FrameType.PACKED).u32(content.length);
    write(packed, packed.length);
  }

  private void write(byte[] bytes, int length) throws IOException {
    head.putInt(1, head.position() - FrameType.HEADER + length);
    out.write(head.array(), 0, head.position());
    out.write(bytes, 0, length);
    sent += head.position() + length;
  }

  public void flush() throws IOException {
    out.flush();
  }

  /** All bytes of the frames so far. */
  public long sent() {
    return sent;
  }
}
