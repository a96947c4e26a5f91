package dev.kymo.importers.tracedat.file;

import dev.kymo.importers.linux.metadata.KernelMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Facts that a file has besides its events. */
public final class TraceMetadata {
  KernelMetadata kernel = new KernelMetadata(false, Long.BYTES);
  final List<Buffer> buffers = new ArrayList<>();
  final List<String> statistics = new ArrayList<>();
  final Map<String, String> facts = new LinkedHashMap<>();
  TimeScale time = TimeScale.NONE;
  TimeShift shift = TimeShift.NONE;
  final List<String> guests = new ArrayList<>();
  int version;
  int pageSize;
  int cpus;
  String compression = "none";

  /**
   * Where a processor's events are.
   *
   * @param size bytes, in the file
   */
  record CpuPlace(int cpu, long offset, long size) {}

  /**
   * One of the kernel's buffers.
   *
   * @param name empty = the main one
   * @param text whether it is text, at the offset of its only place
   */
  record Buffer(String name, int pageSize, boolean packed, boolean text, List<CpuPlace> places) {}

  TraceMetadata() {}

  public KernelMetadata kernel() {
    return kernel;
  }

  /** What the kernel counted, by processor: {@code entries: 12}. */
  public List<String> statistics() {
    return statistics;
  }

  /** Another fact, by its word: about the system, the clock, trace-cmd itself; empty if unknown. */
  public String fact(String name) {
    return facts.getOrDefault(name, "");
  }

  /** A sentence about each virtual machine whose host, or which itself, this is a trace of. */
  public List<String> guests() {
    List<String> all = new ArrayList<>(guests);
    if (shift.isKnown()) {
      all.add(
          "file of a virtual machine: its times are those of its host's trace "
              + Long.toHexString(shift.host()));
    }
    return all;
  }

  /** Version of the file: 6 or 7. */
  public int version() {
    return version;
  }

  /** Nanoseconds since 1970 at time 0; 0 if it is not said. */
  public long wallOffset() {
    return time.wallOffset();
  }

  /** Names of the buffers, by their numbers. */
  public List<String> buffers() {
    return buffers.stream().map(Buffer::name).toList();
  }

  /** A bound on the numbers of processors, at least 1. */
  public int processors() {
    int most = 0;
    for (Buffer buffer : buffers) {
      for (CpuPlace place : buffer.places) {
        int last = buffer.text ? cpus - 1 : place.cpu;
        most = place.size > 0 ? Math.max(most, last) : most;
      }
    }
    return most + 1;
  }
}
