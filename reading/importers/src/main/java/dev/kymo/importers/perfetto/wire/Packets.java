package dev.kymo.importers.perfetto.wire;

import dev.kymo.importers.target.ForeignException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The packets of a trace: each is a field 1 of one long message. Some have others in them, packed.
 */
public final class Packets implements AutoCloseable {
  private static final int PACKET = 0x0A;
  private static final int COMPRESSED = 50;
  private static final int WINDOW = 1 << 20;
  private static final int LARGEST = 64 << 20;

  private final Path path;
  private final FileChannel file;
  private final long size;
  private ByteBuffer window = ByteBuffer.allocate(WINDOW).limit(0);
  private long windowAt;
  private long packetAt;
  private @Nullable Message unpacked;

  public Packets(Path path) throws IOException {
    this.path = path;
    this.file = FileChannel.open(path, StandardOpenOption.READ);
    this.size = file.size();
  }

  /** Bytes of the file. */
  public long size() {
    return size;
  }

  /** Bytes that have been read. */
  public long position() {
    return windowAt + window.position();
  }

  /** Where the packet is that was read last. */
  public long packetAt() {
    return packetAt;
  }

  /** The next packet; null at the end. */
  public @Nullable Message next() throws IOException {
    try {
      while (true) {
        Message inner = unpacked;
        if (inner != null) {
          if (inner.next()) {
            if (inner.field() == 1 && !inner.isNumber()) {
              return inner.message();
            }
            continue;
          }
          unpacked = null;
        }
        if (position() == size) {
          return null;
        }
        Message packet = packet();
        Message trace = trace(packet);
        if (trace == null) {
          return packet;
        }
        unpacked = trace;
      }
    } catch (DamagedMessageException e) {
      throw new ForeignException(
          "packet is damaged", path, packetAt, "why=\"" + e.getMessage() + "\"");
    }
  }

  private Message packet() throws IOException {
    packetAt = position();
    require(1);
    int key = window.get() & 0xFF;
    if (key != PACKET) {
      throw new ForeignException("no packet begins here", path, packetAt, "key=" + key);
    }
    long length = 0;
    for (int shift = 0; ; shift += 7) {
      require(1);
      byte next = window.get();
      length |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        break;
      }
      if (shift > 28) {
        throw new ForeignException("packet has no length", path, packetAt, "");
      }
    }
    if (length > LARGEST || length > size - position()) {
      throw new ForeignException(
          "packet is longer than the file", path, packetAt, "bytes=" + length);
    }
    require((int) length);
    Message packet = new Message(window.slice(window.position(), (int) length));
    window.position(window.position() + (int) length);
    return packet;
  }

  private void require(int bytes) throws IOException {
    if (window.remaining() >= bytes) {
      return;
    }
    windowAt += window.position();
    ByteBuffer next =
        bytes > window.capacity() ? ByteBuffer.allocate(bytes) : ByteBuffer.allocate(WINDOW);
    next.put(window);
    window = next;
    while (window.position() < bytes) {
      if (file.read(window, windowAt + window.position()) < 0) {
        throw new ForeignException("file ends within a packet", path, packetAt, "");
      }
    }
    window.flip();
  }

  /** The trace that is packed in a packet; null if it is a usual one. */
  private @Nullable Message trace(Message packet) {
    Message look = packet.copy();
    while (look.next()) {
      if (look.field() == COMPRESSED && !look.isNumber()) {
        return new Message(ByteBuffer.wrap(inflated(look.raw())));
      }
    }
    return null;
  }

  private static byte[] inflated(byte[] packed) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] piece = new byte[64 * 1024];
      while (!inflater.finished()) {
        int count = inflater.inflate(piece);
        if (count == 0 || all.size() > LARGEST) {
          throw new DamagedMessageException("compressed packets do not end");
        }
        all.write(piece, 0, count);
      }
      return all.toByteArray();
    } catch (DataFormatException e) {
      throw new DamagedMessageException("compressed packets are damaged: " + e.getMessage());
    } finally {
      inflater.end();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
