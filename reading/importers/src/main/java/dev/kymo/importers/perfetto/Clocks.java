package dev.kymo.importers.perfetto;

import dev.kymo.importers.perfetto.wire.Message;
import java.util.HashMap;
import java.util.Map;

/** Converts times to that of the boot, by the snapshots that relate clocks to each other. */
final class Clocks {
  static final int REALTIME = 1;
  static final int BOOTTIME = 6;

  /** Clocks from here on belong to a sequence of packets. */
  private static final int FIRST_OF_SEQUENCE = 64;

  private static final int LAST_OF_SEQUENCE = 127;

  private record Key(long sequence, int clock) {}

  /** A clock: what is to be added to its times, in nanoseconds. */
  private static final class Scale {
    private boolean incremental;
    private long unit = 1;
    private long offset;
    private long last;
  }

  private final Map<Key, Scale> scales = new HashMap<>();
  private long wallOffset;
  private boolean wallKnown;

  void snapshot(long sequence, Message snapshot) {
    Map<Key, Scale> taken = new HashMap<>();
    long boot = 0;
    long wall = 0;
    while (snapshot.next()) {
      if (snapshot.field() == 1) {
        Scale scale = new Scale();
        int clock = clock(snapshot.message(), scale);
        taken.put(key(sequence, clock), scale);
        boot = clock == BOOTTIME ? scale.last : boot;
        wall = clock == REALTIME ? scale.last : wall;
      }
    }
    if (boot == 0) {
      return; // nothing to relate the others to
    }
    for (Scale scale : taken.values()) {
      scale.offset = boot - scale.last * scale.unit;
    }
    scales.putAll(taken);
    if (wall != 0 && !wallKnown) {
      wallOffset = wall - boot;
      wallKnown = true;
    }
  }

  private static int clock(Message clock, Scale to) {
    int id = 0;
    while (clock.next()) {
      switch (clock.field()) {
        case 1 -> id = (int) clock.number();
        case 2 -> to.last = clock.number();
        case 3 -> to.incremental = clock.number() != 0;
        case 4 -> to.unit = Math.max(1, clock.number());
        default -> {} // nothing that matters here
      }
    }
    return id;
  }

  private static Key key(long sequence, int clock) {
    boolean own = clock >= FIRST_OF_SEQUENCE && clock <= LAST_OF_SEQUENCE;
    return new Key(own ? sequence : 0, clock);
  }

  /** Nanoseconds since the boot, or of the clock itself if nothing relates it to the boot. */
  long boot(long sequence, int clock, long time) {
    Scale scale = scales.get(key(sequence, clock));
    if (scale == null || clock == BOOTTIME) {
      return Math.max(0, time);
    }
    long value = time;
    if (scale.incremental) {
      scale.last += time;
      value = scale.last;
    }
    return Math.max(0, value * scale.unit + scale.offset);
  }

  /** Wall time at the boot, nanoseconds since 1970; 0 = not known. */
  long wallOffset() {
    return wallOffset;
  }
}
