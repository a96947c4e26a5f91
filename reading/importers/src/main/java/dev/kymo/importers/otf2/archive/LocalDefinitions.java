package dev.kymo.importers.otf2.archive;

import dev.kymo.importers.target.ForeignException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * A location's own definitions: which of its numbers stand for the archive's definitions, and by
 * how much its clock goes wrong. Between two times at which that was measured it changes evenly;
 * before the first and after the last it goes on as beside them.
 */
final class LocalDefinitions {
  private static final int BUFFER = 4 * 1024;
  private static final int TABLE = 5;
  private static final int CLOCK = 6;
  private static final int SPARSE = 1;
  private static final int MOST_NUMBERS = 1_000_000;

  private final Map<Reference, NumberTable> tables = new EnumMap<>(Reference.class);
  private long[] times = {};
  private long[] offsets = {};
  private int measured;

  /** The interval of times that was used last. */
  private int interval;

  private LocalDefinitions() {}

  /** Reads a location's definitions; none if it has no file of them. */
  static LocalDefinitions read(Anchor anchor, long location) throws IOException {
    LocalDefinitions read = new LocalDefinitions();
    Path path = anchor.definitionFile(location);
    if (Files.exists(path)) {
      try (RecordFile in = RecordFile.open(path, anchor.definitionChunk(), false, BUFFER)) {
        while (in.next()) {
          switch (in.type()) {
            case TABLE -> read.table(in);
            case CLOCK -> read.clock(in);
            default -> {} // global definitions have it, too
          }
        }
      }
    }
    return read;
  }

  private void table(RecordFile in) throws ForeignException {
    Reference of = Reference.mapped(in.u8());
    long size = in.u64();
    boolean sparse = in.u8() == SPARSE;
    int count = in.count(size);
    if (count > MOST_NUMBERS) {
      throw in.damaged("table of numbers is too large", "count=" + count);
    }
    long[] local = new long[sparse ? count : 0];
    long[] global = new long[count];
    for (int i = 0; i < count; i++) {
      if (sparse) {
        local[i] = in.u64();
      }
      global[i] = in.u64();
    }
    if (of != null && count > 0) {
      tables.put(of, new NumberTable(local, global));
    }
  }

  private void clock(RecordFile in) throws ForeignException {
    long time = in.whole64();
    long offset = in.u64();
    if (measured > 0 && time <= times[measured - 1]) {
      throw in.damaged("clock was measured twice at a time", "time=" + time);
    }
    if (measured == times.length) {
      times = Arrays.copyOf(times, 2 * measured + 2);
      offsets = Arrays.copyOf(offsets, 2 * measured + 2);
    }
    times[measured] = time;
    offsets[measured++] = offset;
  }

  /** The archive's number of what a location's number refers to. */
  long global(Reference of, long number) {
    NumberTable table = tables.get(of);
    return table == null ? number : table.of(number);
  }

  /** The true time; times are given in their order. */
  long trueTime(long time) {
    if (measured < 2) {
      return time;
    }
    while (interval < measured - 2 && time > times[interval + 1]) {
      interval++;
    }
    long begin = times[interval];
    double slope =
        (double) (offsets[interval + 1] - offsets[interval]) / (times[interval + 1] - begin);
    return time + offsets[interval] + (long) Math.rint(slope * (time - begin));
  }
}
