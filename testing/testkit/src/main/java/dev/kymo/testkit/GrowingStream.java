package dev.kymo.testkit;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A thread stream that is written piece by piece, as the drainer does: the last packet grows in its
 * room. Between two pieces the file may stand as a reader can meet it in the middle of a write.
 */
public final class GrowingStream {
  private final Path file;
  private final ByteBuffer whole;
  private final int packetRoom;
  private final SplittableRandom random;
  private final List<Packet> packets = new ArrayList<>();
  private long limit = Long.MIN_VALUE;

  /** A packet, its records' ends and clocks, and the room it has got; 0 = none yet. */
  private static final class Packet {
    int at;
    int size;
    int room;
    boolean shown;
    final List<Integer> ends = new ArrayList<>();
    final List<Long> clocks = new ArrayList<>();

    int visible(long limit) {
      int count = 0;
      while (count < clocks.size() && clocks.get(count) <= limit) {
        count++;
      }
      return count;
    }
  }

  /**
   * Takes a whole stream apart.
   *
   * @param bytes the stream's file as it is to be in the end
   * @param packetRoom bytes that the largest packet may have
   */
  public GrowingStream(Path file, byte[] bytes, int packetRoom, SplittableRandom random) {
    this.file = file;
    this.whole = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.packetRoom = packetRoom;
    this.random = random;
    for (int at = 0; at < bytes.length; ) {
      Packet packet = packet(at);
      packets.add(packet);
      at += packet.size;
    }
  }

  private Packet packet(int at) {
    Packet packet = new Packet();
    packet.at = at;
    packet.size = (int) (whole.getLong(at + PacketLayout.PACKET_SIZE_OFFSET) / 8);
    long clock = whole.getLong(at + PacketLayout.BEGIN_OFFSET);
    int record = at + PacketLayout.HEADER_SIZE;
    while (record < at + packet.size) {
      long word = whole.getLong(record);
      boolean extended = ThreadRecord.id(word) == ThreadRecord.EXTENDED;
      clock =
          extended
              ? ThreadRecord.extendedClock(word, whole.getLong(record + 8))
              : ThreadRecord.clock(clock, ThreadRecord.clockLow(word));
      int id = extended ? ThreadRecord.extendedId(word) : ThreadRecord.id(word);
      record += extended ? ThreadRecord.EXTENDED_SIZE : ThreadRecord.COMPACT_SIZE;
      record += id == ThreadRecord.DETAIL ? ThreadRecord.DETAIL_SIZE : 0;
      packet.ends.add(record - at);
      packet.clocks.add(clock);
    }
    return packet;
  }

  /** Shows all records up to a clock or more, and perhaps the beginnings of a further write. */
  public void show(long atLeast) throws IOException {
    limit = Math.max(limit, atLeast);
    ByteBuffer bytes = ByteBuffer.allocate(whole.limit() + (packets.size() + 2) * packetRoom);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    int next = 0;
    while (next < packets.size() && isVisible(packets.get(next))) {
      boolean last = next + 1 == packets.size() || !isVisible(packets.get(next + 1));
      Packet packet = packets.get(next++);
      int count = packet.visible(limit);
      boolean open = count < packet.clocks.size() || (last && random.nextBoolean());
      // What was closed when it was first seen does not get room later.
      if (open && !packet.shown && !packet.clocks.isEmpty()) {
        packet.room = packetRoom;
      }
      packet.shown = true;
      put(bytes, packet, count);
    }
    if (next > 0 && !packets.get(next - 1).clocks.isEmpty()) {
      disturb(bytes, packets.get(next - 1), packets.get(next - 1).visible(limit));
    }
    if (random.nextInt(3) == 0) {
      beginPacket(bytes, next);
    }
    write(bytes);
  }

  /** Shows everything, the last packet without unused room. */
  public void showAll() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(whole.limit() + packets.size() * packetRoom);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < packets.size(); i++) {
      Packet packet = packets.get(i);
      packet.room = isLastWithRecords(i) ? 0 : packet.room;
      put(bytes, packet, packet.clocks.size());
    }
    write(bytes);
  }

  private boolean isLastWithRecords(int index) {
    return packets.subList(index + 1, packets.size()).stream().allMatch(p -> p.clocks.isEmpty());
  }

  private boolean isVisible(Packet packet) {
    return packet.clocks.isEmpty()
        ? whole.getLong(packet.at + PacketLayout.BEGIN_OFFSET) <= limit
        : packet.visible(limit) > 0;
  }

  private void put(ByteBuffer bytes, Packet packet, int count) {
    int at = bytes.position();
    int content = count == 0 ? PacketLayout.HEADER_SIZE : packet.ends.get(count - 1);
    bytes.put(whole.array(), packet.at, content);
    if (count > 0) {
      PacketLayout.close(bytes, at, packet.clocks.get(count - 1), content);
    }
    int room = Math.max(packet.room, content);
    bytes.putLong(at + PacketLayout.PACKET_SIZE_OFFSET, room * 8L);
    bytes.position(at + room);
  }

  /** Perhaps there are records that the header does not count yet. */
  private void disturb(ByteBuffer bytes, Packet packet, int count) {
    int content = packet.ends.get(count - 1);
    int more = Math.min(packet.size, packet.room) - content;
    if (more > 0 && random.nextBoolean()) {
      int at = bytes.position() - packet.room;
      int part = 1 + random.nextInt(more);
      bytes.put(at + content, whole.array(), packet.at + content, part);
    }
  }

  /** The next packet has room but no header yet, or is appended in one and not all there. */
  private void beginPacket(ByteBuffer bytes, int next) {
    if (random.nextBoolean() || next == packets.size()) {
      bytes.position(bytes.position() + packetRoom);
    } else {
      Packet packet = packets.get(next);
      bytes.put(whole.array(), packet.at, random.nextInt(packet.size));
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    byte[] written = new byte[bytes.position()];
    bytes.get(0, written);
    // Over what is there: whoever reads meanwhile never sees a shorter file.
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(written), 0);
      channel.truncate(written.length);
    }
  }
}
