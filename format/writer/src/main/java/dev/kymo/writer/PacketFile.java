package dev.kymo.writer;

import dev.kymo.format.PacketLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A stream file to which whole packets are appended, and the packet that is being filled. Used by
 * one thread.
 */
final class PacketFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;
  private final byte[] bytes;
  private final ByteBuffer packet;
  private final int owner;
  private long written;
  private long sequence;
  private long lost;
  private long lostSaid;
  private long begin;
  private long last;
  private int position;

  /**
   * An empty stream.
   *
   * @param process number in the recording
   * @param instance of the stream among those of its class in the process
   * @param owner what the header says the records belong to: thread or processor
   * @param size most bytes of a packet
   */
  PacketFile(Path path, UUID uuid, int streamClass, int process, int instance, int owner, int size)
      throws IOException {
    this.path = path;
    this.owner = owner;
    this.bytes = new byte[size];
    this.packet = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    PacketLayout.open(packet, 0, uuid, streamClass, process, instance);
    this.channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Bytes in the file. */
  long written() {
    return written;
  }

  /** Whether a packet has records that are not in the file. */
  boolean isOpen() {
    return position > 0;
  }

  /** Clock of the last record of the open packet. */
  long last() {
    return last;
  }

  /** The packet's bytes; records go where {@link #position} says. */
  byte[] bytes() {
    return bytes;
  }

  int position() {
    return position;
  }

  /** Whether so many bytes more fit. */
  boolean hasRoom(int size) {
    return bytes.length - position >= size;
  }

  /** Opens a packet. */
  void open(long clock, int thread) {
    PacketLayout.begin(packet, 0, clock, lost, sequence, thread);
    position = PacketLayout.HEADER_SIZE;
    begin = clock;
    last = clock;
  }

  /** Opens a packet for the stream's only owner. */
  void open(long clock) {
    open(clock, owner);
  }

  /** Records up to here are in the packet. */
  void advance(int to, long clock) {
    position = to;
    last = clock;
  }

  /** Events are missing from here on: the next packet says so. */
  void lose(long count) throws IOException {
    flush();
    lost += count;
  }

  /** Has everything in the file. */
  void flush() throws IOException {
    if (position == 0) {
      return;
    }
    PacketLayout.close(packet, 0, Math.max(begin, last), position);
    packet.limit(position).position(0);
    try {
      long at = written;
      while (packet.hasRemaining()) {
        at += channel.write(packet, at);
      }
      written = at;
      sequence++;
      lostSaid = lost;
    } catch (IOException e) {
      channel.truncate(written);
      throw new IOException("cannot write: file=" + path + " error=" + e.getMessage(), e);
    } finally {
      packet.clear();
      position = 0;
    }
  }

  /** Writes everything, a loss at the end included. */
  @Override
  public void close() throws IOException {
    try (channel) {
      flush();
      if (lost > lostSaid) {
        open(last);
        flush();
      }
    }
  }
}
