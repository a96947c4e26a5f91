package dev.kymo.foreign.perf;

import dev.kymo.foreign.perf.records.Attribute;
import dev.kymo.foreign.perf.records.PerfRecord;
import dev.kymo.foreign.target.Fields;
import dev.kymo.foreign.target.Target;
import dev.kymo.foreign.target.TargetEvent;
import dev.kymo.foreign.target.TargetProcess;
import dev.kymo.foreign.target.Track;
import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes events with stacks of samples, and processes and threads of what perf says of them. */
final class PerfConversion {
  private static final String SAMPLES = "sample";

  private static final List<EventFields.Field> SAMPLE =
      List.of(
          Fields.of(FieldType.U32, "stack"),
          Fields.of(FieldType.U64, "period"),
          Fields.of(FieldType.I32, "cpu"),
          Fields.of(FieldType.U64, "address"));

  private static final List<EventFields.Field> TRACEPOINT =
      List.of(
          Fields.of(FieldType.U32, "stack"),
          Fields.of(FieldType.I32, "cpu"),
          Fields.of(FieldType.BYTES, "raw"));

  private final Target target;
  private final Map<Integer, TargetProcess> processes = new HashMap<>();
  private final Map<Integer, Track> threads = new HashMap<>();
  private final Map<Integer, String> names = new HashMap<>();
  private final Mappings mappings = new Mappings();
  private final Map<String, Long> others = new TreeMap<>();
  private long last;

  PerfConversion(Target target) {
    this.target = target;
  }

  void take(PerfRecord record) throws IOException {
    switch (record) {
      case PerfRecord.Sample sample -> sample(sample);
      case PerfRecord.Comm comm -> comm(comm);
      case PerfRecord.Fork fork -> fork(fork);
      case PerfRecord.Exit exit -> other("EXIT");
      case PerfRecord.Mapped mapped -> {
        mappings.add(mapped);
        other("MMAP");
      }
      case PerfRecord.Lost lost -> lost(lost);
      case PerfRecord.Other unknown -> other(RecordKinds.name(unknown.type()));
    }
  }

  private void other(String kind) {
    others.merge(kind, 1L, Long::sum);
  }

  private void comm(PerfRecord.Comm comm) throws IOException {
    other("COMM");
    if (comm.exec()) {
      mappings.forget(comm.pid());
    }
    names.put(comm.tid(), comm.name());
    TargetProcess process = processes.get(comm.pid());
    if (process != null && comm.pid() == comm.tid()) {
      process.is(comm.pid(), 0, comm.name(), "native");
    }
    Track track = threads.get(comm.tid());
    if (track != null) {
      track.process().rename(track, comm.tid(), comm.name());
    }
  }

  private void fork(PerfRecord.Fork fork) {
    other("FORK");
    names.putIfAbsent(fork.tid(), names.getOrDefault(fork.parent(), ""));
    if (fork.pid() != fork.parent()) {
      mappings.inherit(fork.pid(), fork.parent());
    }
  }

  private void lost(PerfRecord.Lost lost) throws IOException {
    other("LOST");
    Track anywhere = threads.isEmpty() ? thread(0, 0) : threads.values().iterator().next();
    anywhere.lose(Math.max(last, lost.time()), Math.max(0, lost.count()));
  }

  private void sample(PerfRecord.Sample sample) throws IOException {
    long time = sample.time();
    if (time < 0) {
      target
          .troubles()
          .count(
              "samples without a time are at the time of the sample before",
              "event=" + sample.event().name());
      time = last;
    }
    last = time;
    Track track = thread(sample.pid(), sample.tid());
    TargetProcess process = track.process();
    int stack = stack(process, sample);
    Attribute attribute = sample.event().attribute();
    String name = sample.event().name();
    if (attribute.type() == Attribute.TRACEPOINT) {
      TargetEvent event = process.event(SAMPLES, name, EventKind.INSTANT, TRACEPOINT);
      track.event(time, event, stack, sample.cpu(), sample.raw());
    } else {
      TargetEvent event = process.event(SAMPLES, name, EventKind.INSTANT, SAMPLE);
      track.event(time, event, stack, sample.period(), sample.cpu(), sample.address());
    }
    target.tally().count(name, "samples with their stacks");
  }

  private int stack(TargetProcess process, PerfRecord.Sample sample) throws IOException {
    long[] addresses = sample.stack();
    boolean[] user = new boolean[addresses.length];
    boolean inUser = sample.user();
    for (int i = 0; i < addresses.length; i++) {
      if (CallChain.isMarker(addresses[i])) {
        inUser = CallChain.isUser(addresses[i]);
      }
      user[i] = inUser;
    }
    int stack = 0;
    for (int i = addresses.length - 1; i >= 0; i--) {
      if (!CallChain.isMarker(addresses[i])) {
        int pid = user[i] ? sample.pid() : Mappings.KERNEL;
        stack = process.stack(stack, mappings.function(process, pid, addresses[i]));
      }
    }
    return stack;
  }

  private Track thread(int pid, int tid) throws IOException {
    Track known = threads.get(tid);
    if (known != null) {
      return known;
    }
    TargetProcess process = processes.get(pid);
    if (process == null) {
      process = target.process(Math.max(0, pid), 0, name(pid), "native");
      processes.put(pid, process);
    }
    Track track = process.thread(Math.max(0, tid), name(tid));
    threads.put(tid, track);
    return track;
  }

  private String name(int tid) {
    return tid == 0 ? "swapper" : names.getOrDefault(tid, "thread " + tid);
  }

  /** Says what the file has besides samples. */
  void end() throws IOException {
    StringBuilder text = new StringBuilder("records that are no samples:");
    others.forEach((kind, count) -> text.append(' ').append(kind).append(' ').append(count));
    if (!others.isEmpty()) {
      target.notice(text.toString());
    }
  }
}
