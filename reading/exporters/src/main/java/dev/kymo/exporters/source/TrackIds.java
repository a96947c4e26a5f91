package dev.kymo.exporters.source;

import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Numbers of processes and threads for formats that know tracks by them: the kernel's where they
 * are known and tell tracks apart, and above all of the kernel's otherwise.
 */
public final class TrackIds {
  /** The kernel's numbers are smaller. */
  private static final int MADE_UP = 1 << 23;

  private final Map<Integer, Integer> pids = new HashMap<>();
  private final int[] tids;

  public TrackIds(ExportSource source) {
    Set<Integer> used = new HashSet<>();
    for (TracedProcess process : source.definitions().processes()) {
      boolean free = process.pid() > 0 && used.add(process.pid());
      pids.put(process.process(), free ? process.pid() : MADE_UP + process.process());
    }
    tids = new int[source.tracks().size()];
    Set<Long> taken = new HashSet<>();
    for (ExportTrack track : source.tracks()) {
      pids.computeIfAbsent(track.process(), process -> MADE_UP + process);
      int tid = track.definition().tid();
      boolean own =
          track.kind() == TrackKind.CALLS
              && tid > 0
              && taken.add(((long) track.process() << 32) | tid);
      tids[track.number()] = own ? tid : MADE_UP + track.number();
    }
  }

  public int pid(int process) {
    return pids.getOrDefault(process, MADE_UP + process);
  }

  public int pid(ExportTrack track) {
    return pid(track.process());
  }

  public int tid(ExportTrack track) {
    return tids[track.number()];
  }

  /** By process in the recording. */
  public Map<Integer, Integer> pids() {
    return pids;
  }

  /** Where a track stands among those of its process: states stand below their thread. */
  public static int order(ExportTrack track) {
    int place = track.of() < 0 ? track.number() : track.of();
    int part =
        switch (track.kind()) {
          case CALLS, JVM, CPU -> 0;
          case SCHEDULED -> 1;
          case STATES -> 2;
        };
    return place * 4 + part;
  }
}
