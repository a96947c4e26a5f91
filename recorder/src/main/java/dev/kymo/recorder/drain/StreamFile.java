package dev.kymo.recorder.drain;

import dev.kymo.format.PacketLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A stream file being written: whole packets only, also when the disk is full. */
final class StreamFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;
  private long size;
  private long nextPacket;
  private long lost;
  private long lastClock;

  /** Opens a file, and cuts off what is not a whole packet at its end. */
  StreamFile(Path path) throws IOException {
    this.path = path;
    this.channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    skipWholePackets();
    channel.truncate(size);
    channel.position(size);
  }

  /** Number of the packet that is to follow. */
  long nextPacket() {
    return nextPacket;
  }

  /** Losses that the packets so far tell of. */
  long lost() {
    return lost;
  }

  /** Clock of the last record. */
  long lastClock() {
    return lastClock;
  }

  /** Appends a packet; after an error the file ends with the packet before. */
  void append(ByteBuffer packet) throws IOException {
    int at = packet.position();
    int bytes = packet.remaining();
    long packetLost = packet.getLong(at + PacketLayout.LOST_OFFSET);
    long end = packet.getLong(at + PacketLayout.END_OFFSET);
    long number = packet.getLong(at + PacketLayout.SEQUENCE_OFFSET);
    try {
      while (packet.hasRemaining()) {
        channel.write(packet);
      }
    } catch (IOException e) {
      channel.truncate(size);
      channel.position(size);
      throw new IOException("cannot write: file=" + path + " error=" + e.getMessage(), e);
    }
    size += bytes;
    lost = packetLost;
    lastClock = end;
    nextPacket = number + 1;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void skipWholePackets() throws IOException {
    ByteBuffer header =
        ByteBuffer.allocate(PacketLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    long length = channel.size();
    while (length - size >= PacketLayout.HEADER_SIZE) {
      header.clear();
      channel.read(header, size);
      long bytes = header.getLong(PacketLayout.PACKET_SIZE_OFFSET) / 8;
      if (header.getInt(PacketLayout.MAGIC_OFFSET) != PacketLayout.MAGIC
          || bytes < PacketLayout.HEADER_SIZE
          || bytes > length - size) {
        return;
      }
      size += bytes;
      nextPacket = header.getLong(PacketLayout.SEQUENCE_OFFSET) + 1;
      lost = header.getLong(PacketLayout.LOST_OFFSET);
      lastClock = header.getLong(PacketLayout.END_OFFSET);
    }
  }
}
