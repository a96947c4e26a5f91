package dev.kymo.drain;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.SentBytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A stream file being written: it contains only whole packets, even when the disk is full.
 *
 * <p>The last packet may be open. Then it has room in the file for all the records it can ever get,
 * so that neither its size nor the file's size changes while it grows. Records are written before
 * the header that counts them.
 */
final class StreamFile implements AutoCloseable {
  /** Bytes written at a time: each write takes a fraction of a millisecond. */
  private static final int PIECE = 256 << 10;

  private final Path path;
  private final RandomAccessFile file;
  private final FileChannel channel;
  private final Runnable pace;

  /** Bytes of the closed packets: the place where the open or next packet begins. */
  private long closed;

  /**
   * Bytes of the open packet that its header counts, including the header; 0 = no packet is open.
   */
  private int open;

  /** Bytes that the open packet occupies in the file. */
  private int room;

  private long nextPacket;
  private long lost;
  private long lastClock;
  private long lastBegin;

  /**
   * Opens a recording's file, and cuts off an incomplete packet at its end. What was sent of it may
   * be gone.
   */
  StreamFile(Path path) throws IOException {
    this(path, sent(path), () -> {});
  }

  /**
   * Opens a file that has been whole so far.
   *
   * @param pace runs after each written piece
   */
  StreamFile(Path path, Runnable pace) throws IOException {
    this(path, 0, pace);
  }

  private StreamFile(Path path, long gone, Runnable pace) throws IOException {
    this.path = path;
    this.pace = pace;
    this.closed = gone;
    if (Files.isSymbolicLink(path)) { // no recorder makes one
      throw new IOException("a link instead of a stream: file=" + path);
    }
    this.file = new RandomAccessFile(path.toFile(), "rw");
    this.channel = file.getChannel();
    if (channel.size() < gone) {
      throw new IOException(
          "a stream is shorter than what was sent of it: file=%s bytes=%d sent=%d"
              .formatted(path, channel.size(), gone));
    }
    skipWholePackets();
    channel.truncate(closed + room);
  }

  private static long sent(Path path) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    return directory == null
        ? 0
        : SentBytes.read(directory).getOrDefault(String.valueOf(path.getFileName()), 0L);
  }

  long nextPacket() {
    return nextPacket;
  }

  /** Losses that the packets so far report. */
  long lost() {
    return lost;
  }

  long lastClock() {
    return lastClock;
  }

  /** Clock at which the last packet begins. */
  long lastBegin() {
    return lastBegin;
  }

  /** Bytes of the open packet. After opening a file its last packet counts as open. */
  int open() {
    return open;
  }

  /** Closes the open packet if there is one, and appends a complete packet. */
  void append(ByteBuffer packet) throws IOException {
    closePacket();
    ByteBuffer header = packet.slice().order(ByteOrder.LITTLE_ENDIAN);
    int bytes = packet.remaining();
    try {
      write(packet, closed);
    } catch (IOException e) {
      throw failed(e);
    }
    closed += bytes;
    note(header);
  }

  /**
   * Adds records to the open packet, or opens a packet with them.
   *
   * @param header counts the packet's records so far; its packet size is the room that the packet
   *     gets
   * @param records the new ones
   */
  void grow(ByteBuffer header, ByteBuffer records) throws IOException {
    int content = (int) (header.getLong(PacketLayout.CONTENT_SIZE_OFFSET) / 8);
    int wanted = (int) (header.getLong(PacketLayout.PACKET_SIZE_OFFSET) / 8);
    try {
      if (room < wanted) {
        file.setLength(closed + wanted);
        room = wanted;
      }
      write(records, closed + content - records.remaining());
      write(header.duplicate(), closed);
    } catch (IOException e) {
      throw failed(e);
    }
    open = content;
    note(header);
  }

  /** Closes the open packet, if there is one; it keeps its room. */
  void closePacket() {
    closed += room;
    room = 0;
    open = 0;
  }

  /** Removes the unused room of the open packet, and closes it. */
  void trimPacket() throws IOException {
    if (open < room) {
      if (open > 0) {
        ByteBuffer bits = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        write(bits.putLong(0, open * 8L), closed + PacketLayout.PACKET_SIZE_OFFSET);
      }
      // After the header: if writing ends here, opening the file cuts off the rest.
      channel.truncate(closed + open);
      room = open;
    }
    closePacket();
  }

  void dropPacket() throws IOException {
    channel.truncate(closed);
    room = 0;
    closePacket();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private void write(ByteBuffer bytes, long position) throws IOException {
    long at = position;
    int end = bytes.limit();
    while (bytes.position() < end) {
      bytes.limit(Math.min(end, bytes.position() + PIECE));
      at += channel.write(bytes, at);
      pace.run();
    }
  }

  /** Restores the file to whole packets with the records that it had before. */
  private IOException failed(IOException cause) throws IOException {
    trimPacket();
    channel.truncate(closed);
    return new IOException("cannot write: file=" + path + " error=" + cause.getMessage(), cause);
  }

  private void note(ByteBuffer header) {
    nextPacket = header.getLong(PacketLayout.SEQUENCE_OFFSET) + 1;
    lost = header.getLong(PacketLayout.LOST_OFFSET);
    lastClock = header.getLong(PacketLayout.END_OFFSET);
    lastBegin = header.getLong(PacketLayout.BEGIN_OFFSET);
  }

  private void skipWholePackets() throws IOException {
    ByteBuffer header =
        ByteBuffer.allocate(PacketLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    long length = channel.size();
    while (length - closed - room >= PacketLayout.HEADER_SIZE) {
      header.clear();
      channel.read(header, closed + room);
      long bytes = header.getLong(PacketLayout.PACKET_SIZE_OFFSET) / 8;
      long content = header.getLong(PacketLayout.CONTENT_SIZE_OFFSET) / 8;
      if (header.getInt(PacketLayout.MAGIC_OFFSET) != PacketLayout.MAGIC
          || content < PacketLayout.HEADER_SIZE
          || bytes < content
          || bytes > Math.min(length - closed - room, Integer.MAX_VALUE)) {
        return;
      }
      closePacket();
      room = (int) bytes;
      open = (int) content;
      note(header);
    }
  }
}
