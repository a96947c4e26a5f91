package dev.kymo.editing.slice;

import dev.kymo.format.ThreadRecord;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.MethodTable;
import dev.kymo.reader.StreamSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Writes what the events of a slice do not tell, a stream for each process: at the slice's begin,
 * thread by thread, enters of the calls that were running; at its end a switch that says until when
 * those run that have no leave.
 */
final class BegunStreams {
  /** Where a ring's number stands, for what was in no ring. */
  static final int NO_RING = Integer.MAX_VALUE;

  private final OverlappingCalls calls;
  private final MethodTable methods;
  private final Occurring occurring;
  private final long from;
  private long events;

  BegunStreams(OverlappingCalls calls, MethodTable methods, Occurring occurring, long from) {
    this.calls = calls;
    this.methods = methods;
    this.occurring = occurring;
    this.from = from;
  }

  /** Copies what a recording that is a slice itself has of this; returns the events. */
  interface Source {
    long copy(int process, PacketWriter to) throws IOException;
  }

  /**
   * Writes all streams; returns the events.
   *
   * @param processes that have a source
   */
  long write(Path directory, UUID uuid, Iterable<Integer> processes, Source source)
      throws IOException {
    Map<Integer, List<ThreadCalls>> threads = new TreeMap<>();
    processes.forEach(process -> threads.put(process, new ArrayList<>()));
    calls.running().keySet().forEach(process -> threads.put(process, new ArrayList<>()));
    for (ThreadCalls thread : calls.begun().keySet()) {
      threads.computeIfAbsent(thread.process(), p -> new ArrayList<>()).add(thread);
    }
    for (Map.Entry<Integer, List<ThreadCalls>> process : threads.entrySet()) {
      Path file = directory.resolve("p" + process.getKey() + StreamSource.BEGUN);
      try (PacketWriter to = PacketWriter.threads(file, uuid, process.getKey(), NO_RING)) {
        events += source.copy(process.getKey(), to);
        for (ThreadCalls thread : process.getValue()) {
          writeBegun(to, thread);
        }
        writeRunning(to, process.getKey());
      }
    }
    return events;
  }

  private void writeBegun(PacketWriter to, ThreadCalls thread) throws IOException {
    switchTo(to, from, thread.process(), thread.thread());
    List<OverlappingCalls.Begun> stack = calls.begun().getOrDefault(thread, List.of());
    stack.sort(Comparator.comparingInt(OverlappingCalls.Begun::depth));
    for (OverlappingCalls.Begun call : stack) {
      int method = methods.payload(call.method());
      to.event(from, ThreadRecord.ENTER, method);
      occurring.methods(thread.process()).set(method);
      events++;
      if (call.detail() != 0) {
        to.detail(from, call.detail());
        occurring.named(thread.process(), ThreadRecord.detailOther(call.detail()));
        events++;
      }
    }
  }

  private void writeRunning(PacketWriter to, int process) throws IOException {
    OverlappingCalls.Running last = calls.running().get(process);
    if (last != null) {
      switchTo(to, last.clock(), process, last.thread());
    }
  }

  private void switchTo(PacketWriter to, long clock, int process, int thread) throws IOException {
    to.event(clock, ThreadRecord.SWITCH, thread);
    occurring.thread(process, thread);
    events++;
  }
}
