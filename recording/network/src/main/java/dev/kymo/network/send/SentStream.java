package dev.kymo.network.send;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A stream file as far as it was sent.
 *
 * <p>Closed packets do not change any more. The last one may be open: records are added to it, then
 * its header counts them; at the end its unused room may be cut off. So the receiver gets records
 * before the header that counts them, as a reader of the sender's file sees them.
 */
final class SentStream implements AutoCloseable {
  private static final int PIECE = 1 << 18;

  /** Bytes sent in one go at most, so that answers are heard in between. */
  private static final int MOST_AT_ONCE = 1 << 20;

  private static final int HEADER = PacketLayout.HEADER_SIZE;

  private final String name;
  private final Path path;
  private final FileChannel channel;
  private final ByteBuffer header = buffer(HEADER);
  private final ByteBuffer next = buffer(HEADER);
  private final byte[] piece;

  /** Where the packet begins that may still change. */
  private long closed;

  /** Its bytes that were sent, without the header; its header as it was sent. */
  private int sent = HEADER;

  private ByteBuffer sentHeader = buffer(HEADER);

  /** Bytes that the receiver's file has, if that is known: it may have had more before. */
  private long length;

  private boolean lengthKnown;

  /** Those are read here as long as the recording is made. */
  private final boolean isOfDefinitions;

  /** Whether there is more than could be sent in one go. */
  private boolean more;

  private int number = -1;
  private long marked;
  private long acknowledged;
  private long freed;

  /**
   * Nothing of it was sent.
   *
   * @param piece room for what is sent at once, shared by all streams
   * @param acknowledged what an earlier sender knows to be on the receiver's disk
   */
  SentStream(Path path, byte[] piece, long acknowledged) throws IOException {
    this.name = path.getFileName().toString();
    this.path = path;
    this.piece = piece;
    this.acknowledged = acknowledged;
    this.freed = acknowledged;
    this.closed = acknowledged;
    this.channel =
        FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    ByteBuffer kind = buffer(Integer.BYTES);
    this.isOfDefinitions =
        channel.read(kind, PacketLayout.STREAM_CLASS_OFFSET) < Integer.BYTES
            || kind.getInt(0) == StreamClass.DEFINITIONS;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Room for {@link #SentStream}. */
  static byte[] piece() {
    return new byte[PIECE];
  }

  String name() {
    return name;
  }

  /** Bytes of the file now. */
  long size() throws IOException {
    return channel.size();
  }

  /** There is a new connection: goes on after what is on the receiver's disk. */
  void restart(int asNumber, FrameWriter out) throws IOException {
    number = asNumber;
    closed = acknowledged;
    marked = acknowledged;
    forgetPacket();
    length = 0;
    lengthKnown = false;
    out.begin(FrameType.FILE).u32(number).text(name).end();
  }

  private void forgetPacket() {
    sent = HEADER;
    sentHeader = buffer(HEADER);
  }

  /** Sends what is new, or the next part of it; returns whether there was anything. */
  boolean goOn(FrameWriter out) throws IOException {
    boolean any = false;
    long begun = out.sent();
    more = false;
    while (readHeader(header, closed)) {
      if (out.sent() - begun >= MOST_AT_ONCE) {
        more = true;
        return true;
      }
      int content = (int) (header.getLong(PacketLayout.CONTENT_SIZE_OFFSET) / 8);
      int room = (int) (header.getLong(PacketLayout.PACKET_SIZE_OFFSET) / 8);
      long size = channel.size();
      if (size < closed + content) {
        return any; // half written
      }
      any |= send(out, content);
      if (size < closed + room + HEADER || !readHeader(next, closed + room)) {
        break;
      }
      // A packet follows, so this one is closed. It may have changed before that happened.
      readHeader(next, closed);
      if (next.equals(header)) {
        closed += room;
        forgetPacket();
      }
    }
    return sendLength(out) || any;
  }

  /** Whether the last {@link #goOn} left something. */
  boolean hasMore() {
    return more;
  }

  private boolean readHeader(ByteBuffer into, long at) throws IOException {
    into.clear();
    boolean whole = channel.read(into, at) == HEADER;
    into.clear();
    long content = into.getLong(PacketLayout.CONTENT_SIZE_OFFSET) / 8;
    long room = into.getLong(PacketLayout.PACKET_SIZE_OFFSET) / 8;
    return whole
        && into.getInt(PacketLayout.MAGIC_OFFSET) == PacketLayout.MAGIC
        && content >= HEADER
        && room >= content
        && room <= Integer.MAX_VALUE;
  }

  /** Sends new records of the packet, then its header. */
  private boolean send(FrameWriter out, int content) throws IOException {
    if (sent > content) {
      sent = HEADER; // what could not be written was taken back
    }
    while (sent < content) {
      int wanted = Math.min(content - sent, piece.length);
      int got = channel.read(ByteBuffer.wrap(piece, 0, wanted), closed + sent);
      if (got <= 0) {
        return true; // cut off meanwhile: its header says so next time
      }
      write(out, closed + sent, piece, got);
      sent += got;
    }
    if (sentHeader.equals(header)) {
      return false;
    }
    header.duplicate().get(piece, 0, HEADER);
    write(out, closed, piece, HEADER);
    sentHeader.clear();
    sentHeader.put(header.duplicate()).clear();
    return true;
  }

  private void write(FrameWriter out, long at, byte[] bytes, int count) throws IOException {
    out.begin(FrameType.WRITE).u32(number).u64(at).end(bytes, count);
    length = Math.max(length, at + count);
  }

  /** The room of the open packet, or its end. */
  private boolean sendLength(FrameWriter out) throws IOException {
    long size = channel.size();
    if (lengthKnown && size == length) {
      return false;
    }
    out.begin(FrameType.LENGTH).u32(number).u64(size).end();
    length = size;
    lengthKnown = true;
    return true;
  }

  /** What was sent so far counts when the receiver acknowledges the next mark. */
  void mark() {
    marked = closed;
  }

  /** Everything before the last mark is on the receiver's disk. */
  void acknowledge() {
    acknowledged = marked;
  }

  /** Bytes of it that are on the receiver's disk and do not change any more. */
  long acknowledged() {
    return acknowledged;
  }

  /** Gives up the space of what the receiver has. */
  void free(Space space) throws IOException {
    if (freed < acknowledged && !isOfDefinitions) {
      try {
        space.free(path, freed, acknowledged);
      } catch (IOException e) {
        if (Files.exists(path)) { // else its recorder has removed it just now
          throw e;
        }
      }
      freed = acknowledged;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
