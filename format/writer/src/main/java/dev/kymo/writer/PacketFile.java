package dev.kymo.writer;

import dev.kymo.format.PacketEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A new stream file, to which closed packets are appended. Used by one thread. */
public final class PacketFile implements AutoCloseable {
  private final Path path;
  private final PacketEncoder packet;
  private @Nullable FileChannel channel;
  private long written;

  /** A file that is made with the first packet. */
  public PacketFile(Path path, PacketEncoder packet) {
    this.path = path;
    this.packet = packet;
  }

  /** Makes the file now. */
  public PacketFile create() throws IOException {
    channel();
    return this;
  }

  private FileChannel channel() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      channel = open;
    }
    return open;
  }

  /** Bytes in the file. */
  long written() {
    return written;
  }

  /** Whether the open packet has room, if there is one; else closes it. */
  public boolean isOpenFor(int size) throws IOException {
    if (packet.isOpen() && !packet.hasRoom(size)) {
      flush();
    }
    return packet.isOpen();
  }

  /** Reports events that are missing from here on: the next packet says so. */
  public void lose(long count) throws IOException {
    flush();
    packet.lose(count);
  }

  /** Closes the open packet and writes it to the file. */
  public void flush() throws IOException {
    if (!packet.isOpen()) {
      return;
    }
    ByteBuffer bytes = packet.close();
    try {
      FileChannel to = channel();
      try {
        long at = written;
        while (bytes.hasRemaining()) {
          at += to.write(bytes, at);
        }
        written = at;
      } catch (IOException e) {
        to.truncate(written);
        throw e;
      }
    } catch (IOException e) {
      packet.skip(-1); // the number is the next packet's
      throw new IOException("cannot write: file=" + path + " error=" + e.getMessage(), e);
    }
  }

  /** Writes everything, a loss at the end included. */
  @Override
  public void close() throws IOException {
    try {
      flush();
      if (packet.hasUnreportedLoss()) {
        packet.open(packet.clock(), packet.thread());
        flush();
      }
    } finally {
      FileChannel open = channel;
      if (open != null) {
        open.close();
      }
    }
  }
}
