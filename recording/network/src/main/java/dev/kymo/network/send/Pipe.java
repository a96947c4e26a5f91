package dev.kymo.network.send;

import dev.kymo.network.wire.FrameWriter;
import dev.kymo.network.wire.Hello;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A stream that somebody else takes to the receiver, such as standard output. Nothing comes back:
 * what was written counts as received. A stream that has failed does not come again.
 *
 * <p>It consists of {@linkplain Parcels parcels}, each after its length, four bytes, big-endian.
 */
public final class Pipe implements Route {
  private final String name;
  private final WritableByteChannel to;
  private boolean used;

  /**
   * A stream.
   *
   * @param name for people
   * @param to is closed at the end
   */
  public Pipe(String name, WritableByteChannel to) {
    this.name = name;
    this.to = to;
  }

  @Override
  public String address() {
    return name;
  }

  @Override
  public Link open(Hello hello, LongSupplier clock) throws IOException {
    if (used) {
      throw new RefusedException("nobody reads it any more", true);
    }
    used = true;
    return new OneLink(hello);
  }

  private final class OneLink implements Link, Parcels.Taker {
    private final FrameWriter out;
    private long marked;
    private boolean done;

    OneLink(Hello hello) throws IOException {
      String conversation = UUID.randomUUID().toString();
      Parcels parcels =
          new Parcels(
              new Hello(conversation, hello.recording(), hello.session(), hello.name()), this);
      out = new FrameWriter(parcels);
      parcel(parcels.greeting());
    }

    @Override
    public FrameWriter out() {
      return out;
    }

    @Override
    public void parcel(byte[] frames) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + frames.length);
      bytes.putInt(frames.length).put(frames).flip();
      try {
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
      } catch (IOException e) {
        throw new RefusedException(String.valueOf(e.getMessage()), true);
      }
    }

    @Override
    public void mark(long number) {
      marked = number;
    }

    @Override
    public void done() {
      done = true;
    }

    @Override
    public long acknowledged() {
      return marked;
    }

    @Override
    public boolean isDone() {
      return done;
    }

    @Override
    public void await(long millis) throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(millis);
    }

    @Override
    public void close() throws IOException {
      to.close();
    }
  }
}
