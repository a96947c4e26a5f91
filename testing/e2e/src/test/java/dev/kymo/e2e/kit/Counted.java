package dev.kymo.e2e.kit;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What the program {@code Counting} has counted, and how much of it is in a recording. */
public final class Counted {
  private static final int STRIDE = 64;

  private Counted() {}

  /** Calls that each of its two threads has counted, the smaller number first. */
  public static long[] byProgram(Path counters) {
    return IntStream.range(0, 2).mapToLong(slot -> count(counters, slot)).sorted().toArray();
  }

  /** The same as a recording has it. */
  public static long[] inRecording(Path recording) throws IOException {
    return LongStream.of(
            leaves(recording.resolve("p1-ring-1")), leaves(recording.resolve("p1-ring-2")))
        .sorted()
        .toArray();
  }

  private static long count(Path counters, int slot) {
    try (FileChannel channel = FileChannel.open(counters, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      return channel.read(buffer, (long) slot * STRIDE) == 8 ? buffer.getLong(0) : 0;
    } catch (IOException e) {
      return 0; // not there yet
    }
  }

  /** Counts the leaves of the counted method, which is the method that returns most often. */
  private static long leaves(Path stream) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(stream)).order(ByteOrder.LITTLE_ENDIAN);
    Map<Integer, Long> leaves = new HashMap<>();
    int packet = 0;
    while (packet < bytes.limit() && bytes.getInt(packet) == PacketLayout.MAGIC) {
      int end = packet + (int) (bytes.getLong(packet + PacketLayout.CONTENT_SIZE_OFFSET) / 8);
      int at = packet + PacketLayout.HEADER_SIZE;
      while (at < end) {
        long word = bytes.getLong(at);
        boolean extended = ThreadRecord.id(word) == ThreadRecord.EXTENDED;
        int id = extended ? ThreadRecord.extendedId(word) : ThreadRecord.id(word);
        if (id == ThreadRecord.LEAVE) {
          leaves.merge(
              ThreadRecord.payload(extended ? bytes.getLong(at + 8) : word), 1L, Long::sum);
        }
        at += extended ? ThreadRecord.EXTENDED_SIZE : ThreadRecord.COMPACT_SIZE;
      }
      packet += (int) (bytes.getLong(packet + PacketLayout.PACKET_SIZE_OFFSET) / 8);
    }
    return leaves.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
