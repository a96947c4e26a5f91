package dev.kymo.importers.perf;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.linux.LinuxSamples;
import dev.kymo.importers.perf.records.Attribute;
import dev.kymo.importers.perf.records.PerfFeatures;
import dev.kymo.importers.perf.records.PerfRecord;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes events with stacks of samples, and processes and threads of what perf says of them. */
final class PerfConversion {
  /** Each process has files of its own; the threads of further ones are in one. */
  private static final int MOST_PROCESSES = 256;

  private static final int OTHERS = Integer.MIN_VALUE;

  private static final List<EventFields.Field> TRACEPOINT =
      List.of(
          Fields.of(FieldType.U32, "stack"),
          Fields.of(FieldType.I32, "cpu"),
          Fields.of(FieldType.BYTES, "raw"));

  private final Target target;
  private final Map<Integer, TargetProcess> processes = new HashMap<>();
  private final Map<Integer, TargetTrack> threads = new HashMap<>();
  private final Mappings mappings;
  private final Map<String, Long> others = new TreeMap<>();
  private final PerfKernel kernel;
  private long last;
  private long withStacks;
  private long switches;

  PerfConversion(Target target, PerfFeatures features, PerfKernel kernel) {
    this.target = target;
    this.mappings = new Mappings(features);
    this.kernel = kernel;
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
      case PerfRecord.Switch by -> {
        if (kernel.take(by)) {
          switches++;
        } else {
          other("SWITCH");
        }
      }
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
    kernel.named(comm.pid(), comm.tid(), comm.name());
    TargetProcess process = processes.get(comm.pid());
    if (process != null && comm.pid() == comm.tid()) {
      process.is(comm.pid(), 0, comm.name(), "native");
    }
    TargetTrack track = threads.get(comm.tid());
    if (track != null) {
      track.process().rename(track, comm.tid(), comm.name());
    }
  }

  private void fork(PerfRecord.Fork fork) {
    other("FORK");
    kernel.forked(fork.pid(), fork.tid(), fork.parent());
    if (fork.pid() != fork.parent()) {
      mappings.inherit(fork.pid(), fork.parent());
    }
  }

  private void lost(PerfRecord.Lost lost) throws IOException {
    other("LOST");
    if (kernel.take(lost, Math.max(last, lost.time()))) {
      return;
    }
    TargetTrack anywhere = threads.isEmpty() ? thread(0, 0) : threads.values().iterator().next();
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
    Attribute attribute = sample.event().attribute();
    boolean tracepoint = attribute.type() == Attribute.TRACEPOINT;
    boolean taken = tracepoint && kernel.take(sample, time);
    if (taken && !attribute.hasStacks()) {
      return;
    }
    TargetTrack track = thread(sample.pid(), sample.tid());
    TargetProcess process = track.process();
    int stack = stack(process, sample);
    String name = sample.event().name();
    if (tracepoint && !taken) {
      TargetEvent event = LinuxSamples.of(process, name, TRACEPOINT);
      track.event(time, event, stack, sample.cpu(), sample.raw());
    } else {
      TargetEvent event = LinuxSamples.of(process, name, LinuxSamples.FIELDS);
      track.event(time, event, stack, sample.period(), sample.cpu(), sample.address());
    }
    if (taken) {
      withStacks++;
    } else {
      target.tally().count(name, "samples with their stacks");
    }
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

  private TargetTrack thread(int pid, int tid) throws IOException {
    TargetTrack known = threads.get(tid);
    if (known != null) {
      return known;
    }
    TargetTrack track = process(pid).thread(Math.max(0, tid), kernel.name(tid));
    threads.put(tid, track);
    return track;
  }

  private TargetProcess process(int pid) throws IOException {
    boolean others = processes.size() >= MOST_PROCESSES && !processes.containsKey(pid);
    int number = others ? OTHERS : pid;
    TargetProcess process = processes.get(number);
    if (process == null) {
      String name = others ? "other processes" : kernel.name(pid);
      process = target.process(Math.max(0, number), 0, name, "native");
      processes.put(number, process);
    }
    return process;
  }

  /** Says what the file has besides samples. */
  void end() throws IOException {
    kernel.end();
    if (withStacks > 0) {
      target.notice("events of the kernel that are samples, too, for their stacks: " + withStacks);
    }
    if (switches > 0) {
      target.notice("states of threads and processors follow from SWITCH records: " + switches);
    }
    StringBuilder text = new StringBuilder("records that are no samples:");
    others.forEach((kind, count) -> text.append(' ').append(kind).append(' ').append(count));
    if (!others.isEmpty()) {
      target.notice(text.toString());
    }
  }
}
