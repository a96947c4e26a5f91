package dev.kymo.reader;

import org.jspecify.annotations.Nullable;

/**
 * Checks a packet against the previous ones of its stream: number, losses, clock and process. Says
 * which times its records get and whether events are missing before it.
 */
final class PacketOrder {
  /** Later clocks are damage; their nanoseconds would not fit into 63 bits either. */
  private final long maxClock;

  private final String file;
  private final boolean overwrite;
  private final Diagnostics diagnostics;
  private @Nullable PacketHeader before;
  private boolean resumed;
  private int process;
  private long floor;

  // Of the packet checked last.
  private long begin;
  private long end;
  private boolean gap;
  private long lost;

  PacketOrder(StreamRules rules, String file, Diagnostics diagnostics) {
    this.file = file;
    this.overwrite = rules.overwrites();
    this.diagnostics = diagnostics;
    long frequency = rules.frequency();
    this.maxClock =
        frequency >= 1_000_000_000L
            ? Long.MAX_VALUE / 2
            : Long.MAX_VALUE / 2_000_000_000L * frequency;
  }

  /** Continues in the middle of a stream: another pass has checked what comes before. */
  void resume(int knownProcess, long knownFloor) {
    resumed = true;
    process = knownProcess;
    floor = knownFloor;
  }

  /**
   * Checks the next packet.
   *
   * @param lastClock of the record before it
   * @param damageBefore whether bytes before it could not be read
   */
  void check(PacketHeader header, long lastClock, boolean damageBefore) {
    if (before != null) {
      floor = Math.max(floor, lastClock);
    } else if (!resumed) {
      process = header.owner().process();
    }
    if (header.owner().process() != process) {
      odd(
          Oddity.WRONG_PROCESS,
          header,
          "process=%d expected=%d",
          (long) header.owner().process(),
          (long) process);
    }
    checkClock(header);
    gap = damageBefore;
    lost = 0;
    if (before != null || !resumed) {
      checkLoss(header, before);
    }
    before = header;
  }

  /** The packet checked last has more records now. */
  void grown(PacketHeader header) {
    long last = header.clocks().end();
    if (begin == header.clocks().begin() && last > end && last <= maxClock) {
      end = last;
    }
    before = header;
  }

  private void checkClock(PacketHeader header) {
    begin = header.clocks().begin();
    end = header.clocks().end();
    boolean first = before == null && !resumed;
    if (begin < 0 || end < begin || end > maxClock) {
      odd(Oddity.BAD_CLOCK, header, "begin=%d end=%d", begin, end);
      begin = first ? Math.clamp(Math.min(begin, end), 0, maxClock) : floor;
      end = begin;
    } else if (!first && begin < floor) {
      odd(Oddity.CLOCK_BACKWARDS, header, "begin=%d end_before=%d", begin, floor);
    }
    if (first) {
      floor = begin;
    }
  }

  private void checkLoss(PacketHeader header, @Nullable PacketHeader last) {
    long lostBefore = last == null ? 0 : last.lost();
    long expected = last == null ? 0 : last.sequence() + 1;
    lost = header.lost() - lostBefore;
    if (lost < 0) {
      odd(Oddity.LOSS_BACKWARDS, header, "lost=%d lost_before=%d", header.lost(), lostBefore);
      lost = 0;
    }
    boolean missing = header.sequence() > expected;
    if (missing && !(overwrite && lost > 0)) {
      odd(Oddity.MISSING_PACKETS, header, "number=%d expected=%d", header.sequence(), expected);
    } else if (header.sequence() < expected) {
      odd(Oddity.REPEATED_PACKET, header, "number=%d expected=%d", header.sequence(), expected);
    }
    gap |= missing || lost > 0;
  }

  int process() {
    return process;
  }

  /** Clock from which the packet's records are expanded. */
  long begin() {
    return begin;
  }

  /** No record of the packet can be later. */
  long end() {
    return end;
  }

  /** No record of the packet can be earlier. */
  long floor() {
    return floor;
  }

  /** Whether events are missing before the packet. */
  boolean gap() {
    return gap;
  }

  /** Number of missing events; 0 = unknown. */
  long lost() {
    return lost;
  }

  private void odd(Oddity oddity, PacketHeader header, String facts, Long... values) {
    diagnostics.add(oddity, file, header.offset(), () -> facts.formatted((Object[]) values));
  }
}
