package dev.kymo.editing.slice;

import dev.kymo.format.CountRecord;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Writes what was counted in a slice, a stream for each process: as if the counters had begun with
 * the range and been read for the last time at its end.
 */
final class CountCopy {
  private final CallPass pass;
  private final SliceRange range;
  private final Occurring occurring;

  private record Reading(long clock, CountRecord count) {}

  CountCopy(CallPass pass, SliceRange range, Occurring occurring) {
    this.pass = pass;
    this.range = range;
    this.occurring = occurring;
  }

  /** Writes all streams; returns the records. */
  long write(Path directory, UUID uuid) throws IOException {
    Map<Integer, List<Reading>> processes = new TreeMap<>();
    for (ThreadCalls thread : pass.threads()) {
      if (range.has(thread.process(), thread.thread())) {
        pass.readings(
            thread,
            range.from(),
            range.to(),
            (clock, count) ->
                processes
                    .computeIfAbsent(thread.process(), p -> new ArrayList<>())
                    .add(new Reading(clock, count)));
      }
    }
    long records = 0;
    for (Map.Entry<Integer, List<Reading>> process : processes.entrySet()) {
      Path file = directory.resolve("p" + process.getKey() + "-counts");
      process.getValue().sort(Comparator.comparingLong(Reading::clock));
      try (PacketWriter to = PacketWriter.counts(file, uuid, process.getKey())) {
        for (Reading reading : process.getValue()) {
          to.count(reading.clock(), reading.count());
          occurring.thread(process.getKey(), reading.count().thread());
          occurring.methods(process.getKey()).set(reading.count().method());
          records++;
        }
      }
    }
    return records;
  }
}
