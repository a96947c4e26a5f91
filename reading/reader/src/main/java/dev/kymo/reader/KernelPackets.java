package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Places of the packets of each processor's kernel events, so that events of any time can be read
 * without those before them. Times are clocks, ticks. Safe for use by several threads.
 */
public final class KernelPackets {
  /** Only headers are read. */
  private static final int HEADERS = 4 << 10;

  private final Recording recording;
  private final Map<Integer, KernelEventFormat> formats;
  private final Map<Integer, Packets> byCpu = new LinkedHashMap<>();

  /** Of one processor, in the order of the stream. */
  private static final class Packets {
    private final StreamSource file;
    private final int process;
    private long[] offsets = new long[64];
    private long[] begins = new long[64];

    /** The latest clock up to here: it never falls. */
    private long[] ends = new long[64];

    private int count;

    Packets(StreamSource file, int process) {
      this.file = file;
      this.process = process;
    }

    private void add(long offset, long begin, long end) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, count * 2);
        begins = Arrays.copyOf(begins, count * 2);
        ends = Arrays.copyOf(ends, count * 2);
      }
      offsets[count] = offset;
      begins[count] = begin;
      ends[count] = count == 0 ? end : Math.max(ends[count - 1], end);
      count++;
    }

    /**
     * The first packet that may have an event at or after a clock; the number of packets if there
     * is none.
     */
    private int firstEndingAt(long clock) {
      int found = Arrays.binarySearch(ends, 0, count, clock);
      int at = found < 0 ? -found - 1 : found;
      while (at > 0 && ends[at - 1] == clock) {
        at--;
      }
      return at;
    }
  }

  /** Takes events; an exception that it throws ends the reading. */
  @FunctionalInterface
  public interface Visitor {
    /** A stream at its next event. */
    void event(KernelStream at);
  }

  private KernelPackets(Recording recording, Map<Integer, KernelEventFormat> formats) {
    this.recording = recording;
    this.formats = formats;
  }

  /**
   * Reads the headers of all packets.
   *
   * @param kinds that the recording defines
   */
  public static KernelPackets of(Recording recording, Collection<Definition.KernelEvent> kinds) {
    Diagnostics unheard = new Diagnostics();
    KernelPackets packets = new KernelPackets(recording, KernelMerge.formats(kinds, unheard));
    for (StreamSource file : recording.kernelStreams()) {
      packets.add(file, unheard);
    }
    return packets;
  }

  private void add(StreamSource file, Diagnostics unheard) {
    FileWindow window = new FileWindow(file, unheard, () -> HEADERS);
    PacketWalker walker = new PacketWalker(window, recording.metadata().uuid(), unheard, 0);
    PacketOrder order = new PacketOrder(recording.rules(), file.name(), unheard);
    long clock = 0;
    for (PacketHeader header = walker.next(); header != null; header = walker.next()) {
      order.check(header, clock, walker.damageBefore());
      clock = Math.max(clock, order.begin());
      int process = header.owner().process();
      byCpu
          .computeIfAbsent(header.owner().thread(), cpu -> new Packets(file, process))
          .add(header.offset(), clock, Math.max(clock, header.clocks().end()));
    }
    window.release();
  }

  /** Numbers of the processors that have events. */
  public Set<Integer> cpus() {
    return byCpu.keySet();
  }

  /** Clock of the first event of a processor. */
  public long first(int cpu) {
    Packets packets = byCpu.get(cpu);
    return packets == null ? Long.MAX_VALUE : packets.begins[0];
  }

  /** Clock of the last event of a processor. */
  public long last(int cpu) {
    Packets packets = byCpu.get(cpu);
    return packets == null ? Long.MIN_VALUE : packets.ends[packets.count - 1];
  }

  /** Hands out the events of a processor between two clocks (ends included), in their order. */
  public void between(int cpu, long from, long to, Visitor visitor) {
    Packets packets = byCpu.get(cpu);
    int first = packets == null ? 0 : packets.firstEndingAt(from);
    if (packets == null || first == packets.count) {
      return;
    }
    KernelStream stream =
        new KernelStream(packets.file, recording.rules(), formats, new Diagnostics())
            .from(packets.offsets[first], packets.process, packets.begins[first]);
    while (stream.next() && stream.clock() <= to) {
      if (stream.clock() >= from) {
        visitor.event(stream);
      }
    }
    stream.release();
  }
}
