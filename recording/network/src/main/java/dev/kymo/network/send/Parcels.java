package dev.kymo.network.send;

import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Cuts frames into parcels for a log of messages that somebody else keeps. A parcel is understood
 * without those before it, because a receiver may begin anew with any of them:
 *
 * <pre>
 *   HELLO, with the identity of this conversation as its token
 *   FILE   of each file that is written below
 *   frames
 * </pre>
 *
 * <p>The first parcel is only a HELLO. Marks are not sent: who keeps the log acknowledges. Used by
 * one thread.
 */
public final class Parcels extends OutputStream {
  /** A parcel has at most as many bytes, or one frame. */
  private static final int USUAL = 1 << 19;

  private final byte[] hello;
  private final Taker taker;
  private final Map<Integer, byte[]> files = new HashMap<>();
  private final Set<Integer> written = new HashSet<>();
  private final ByteArrayOutputStream frame = new ByteArrayOutputStream();
  private final ByteArrayOutputStream parcel = new ByteArrayOutputStream();

  /** Bytes of the frame that is being written; of its header, as long as no more is known. */
  private int size = FrameType.HEADER;

  private boolean ending;

  /** Takes parcels, and what they are followed by. */
  public interface Taker {
    void parcel(byte[] frames) throws IOException;

    /** A mark follows the parcels so far. */
    void mark(long number);

    /** The recording is in the parcels so far. */
    void done();
  }

  /**
   * A conversation.
   *
   * @param hello its token is the identity of the conversation
   */
  public Parcels(Hello hello, Taker taker) throws IOException {
    this.taker = taker;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    hello.write(new FrameWriter(bytes));
    this.hello = bytes.toByteArray();
  }

  /** The parcel that must be in the log before the others are given to it. */
  public byte[] greeting() {
    return hello.clone();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int at = offset;
    int end = offset + length;
    while (at < end) {
      int taken = Math.min(end - at, size - frame.size());
      frame.write(bytes, at, taken);
      at += taken;
      if (frame.size() == FrameType.HEADER && size == FrameType.HEADER) {
        size += ByteBuffer.wrap(frame.toByteArray()).getInt(1);
      }
      if (frame.size() == size) {
        size = FrameType.HEADER;
        byte[] whole = frame.toByteArray();
        frame.reset();
        take(whole);
      }
    }
  }

  private void take(byte[] whole) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(whole).position(FrameType.HEADER);
    switch (FrameType.of(whole[0])) {
      case FILE -> files.put(content.getInt(), whole);
      case MARK -> {
        flush();
        taker.mark(content.getLong());
      }
      case CLOCK -> {} // nobody is there to answer
      case WRITE, LENGTH -> ofFile(content.getInt(), whole);
      case CHECK -> {
        // The last parcel has all of them: a receiver that begins anew has forgotten the others.
        if (!ending) {
          flush();
        }
        ending = true;
        parcel.write(whole);
      }
      case DONE -> {
        parcel.write(whole);
        ending = false;
        flush();
        taker.done();
      }
      default -> {
        makeRoom(whole.length);
        parcel.write(whole);
      }
    }
  }

  private void ofFile(int number, byte[] whole) throws IOException {
    byte[] file = files.getOrDefault(number, new byte[0]);
    makeRoom(whole.length + file.length);
    if (written.add(number)) {
      parcel.write(file);
    }
    parcel.write(whole);
  }

  private void makeRoom(int bytes) throws IOException {
    if (parcel.size() + bytes > USUAL) {
      flush();
    }
  }

  @Override
  public void flush() throws IOException {
    if (parcel.size() > 0 && !ending) {
      byte[] frames = new byte[hello.length + parcel.size()];
      System.arraycopy(hello, 0, frames, 0, hello.length);
      System.arraycopy(parcel.toByteArray(), 0, frames, hello.length, parcel.size());
      parcel.reset();
      written.clear();
      taker.parcel(frames);
    }
  }
}
