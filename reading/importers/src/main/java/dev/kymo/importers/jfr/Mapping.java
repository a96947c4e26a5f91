package dev.kymo.importers.jfr;

import dev.kymo.importers.jfr.reader.Constants;
import dev.kymo.importers.jfr.reader.JfrChunk;
import dev.kymo.importers.jfr.reader.JfrReader;
import dev.kymo.importers.jfr.reader.JfrType;
import dev.kymo.importers.target.ImportProgress;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetProcess.Code;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes of each event what it is in a recording. */
final class Mapping implements JfrReader.Sink {
  private static final String MACHINE = "JVM";

  private final Target target;
  private final ImportProgress progress;
  private final long size;
  private final TargetProcess process;
  private final Threads threads;
  private final Map<JfrType, EventType> types = new HashMap<>();
  private final Map<String, TargetTrack> machines = new HashMap<>();

  /** What is known of the chunk that is read. */
  private @Nullable Place place;

  private record Place(JfrChunk chunk, Names names, Stacks stacks) {}

  /** An event's times, and where it happened; a track of the virtual machine if on no thread. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Event(
      EventType of, Object[] values, long begin, long end, Threads.@Nullable Tracks thread) {}

  Mapping(Target target, ImportProgress progress, long size) throws IOException {
    this.target = target;
    this.progress = progress;
    this.size = size;
    this.process = target.process(0, 0, "java", MACHINE);
    this.threads = new Threads(process);
  }

  @Override
  public void at(long bytes) {
    progress.at(bytes, size);
  }

  @Override
  public void settled(long nanos) throws IOException {
    target.settled(nanos);
  }

  @Override
  public void chunk(JfrChunk chunk, Constants constants) {
    Names names = new Names(constants);
    place = new Place(chunk, names, new Stacks(process, constants, names));
    types.clear();
    threads.nextChunk();
  }

  @Override
  public void unknown(long type, long offset) {
    target.tally().count("type " + type, "nothing");
    target
        .troubles()
        .count(
            "events of types that the file does not describe were left out",
            "type=%d offset=%d".formatted(type, offset));
  }

  @Override
  public void event(JfrType type, Object[] values) throws IOException {
    Place at = place;
    if (at == null) {
      throw new IllegalStateException("no chunk has begun");
    }
    EventType of = types.get(type);
    if (of == null) {
      of = new EventType(type, process);
      types.put(type, of);
    }
    long ticks = number(values, of.start);
    long begin = Math.max(0, at.chunk.nanos(ticks));
    long end = Math.max(begin, at.chunk.nanos(ticks + Math.max(0, number(values, of.duration))));
    Threads.Tracks thread =
        of.thread < 0 ? null : threads.of(of.field(of.thread), values[of.thread], at.names);
    take(new Event(of, values, begin, end, thread), at);
    target.tally().count(type.name(), of.kind.became());
    if (type.name().equals("jdk.JVMInformation")) {
      learn(type, values, at.names);
    }
  }

  private static long number(Object[] values, int place) {
    return place >= 0 && values[place] instanceof Long number ? number : 0;
  }

  private void learn(JfrType type, Object[] values, Names names) throws IOException {
    int pid = type.get(values, "pid") instanceof Long number ? (int) (long) number : 0;
    String command =
        "java "
            + names.text(type, values, "jvmArguments")
            + " "
            + names.text(type, values, "javaArguments");
    String machine = names.text(type, values, "jvmName");
    process.is(
        pid, 0, command.replaceAll(" +", " ").strip(), machine.isEmpty() ? MACHINE : machine);
  }

  private void take(Event event, Place at) throws IOException {
    switch (event.of.kind) {
      case SAMPLE, INSTANT -> instant(event, at, track(event));
      case STATE -> {
        state(event, at);
        instant(event, at, track(event));
      }
      case MACHINE -> {
        Kinds.Wait work = Kinds.wait(event.of.type);
        TargetTrack track = machine(work.word());
        track.call(event.begin, event.end, state(event, work, at));
        instant(event, at, event.thread == null ? track : event.thread.track());
      }
      case CALL -> call(event, at);
      case SPAN ->
          track(event).span(event.begin, event.end, event.of.events.get(0), values(event, at));
      case COUNTER -> {
        for (int i = 0; i < event.of.events.size(); i++) {
          Object value = event.of.columns.value(i, event.values, at.names, at.chunk);
          track(event).event(event.begin, event.of.events.get(i), value);
        }
      }
    }
  }

  private void instant(Event event, Place at, TargetTrack track) throws IOException {
    TargetEvent kind = event.of.events.get(0);
    track.event(event.begin, kind, values(event, at));
  }

  private Object[] values(Event event, Place at) throws IOException {
    EventType of = event.of;
    int first = of.hasStack() ? 1 : 0;
    Object[] all = new Object[first + of.columns.size()];
    if (of.hasStack()) {
      all[0] = at.stacks.of(of.field(of.stack), event.values[of.stack]);
    }
    for (int i = first; i < all.length; i++) {
      all[i] = of.columns.value(i - first, event.values, at.names, at.chunk);
    }
    of.secrets.leaveOut(all, first, target.redaction());
    return all;
  }

  private void state(Event event, Place at) throws IOException {
    if (event.thread != null) {
      int state = state(event, Kinds.wait(event.of.type), at);
      event.thread.states().call(event.begin, event.end, state);
    }
  }

  private int state(Event event, Kinds.Wait wait, Place at) throws IOException {
    JfrType type = event.of.type;
    String what = wait.field().isEmpty() ? "" : at.names.text(type, event.values, wait.field());
    return process.function(Code.of(wait.word()), what, "", 0);
  }

  private void call(Event event, Place at) throws IOException {
    JfrType type = event.of.type;
    int method = type.place("method");
    Object value = at.names.get(type, event.values, "method");
    JfrType methods = method < 0 ? null : event.of.field(method).type();
    int function = at.stacks.function(methods, value instanceof Object[] known ? known : null);
    track(event).call(event.begin, event.end, function);
  }

  private TargetTrack track(Event event) throws IOException {
    if (event.thread != null) {
      return event.thread.track();
    }
    return machine(event.of.duration >= 0 ? event.of.type.shortName() : MACHINE);
  }

  private TargetTrack machine(String name) throws IOException {
    TargetTrack known = machines.get(name);
    if (known == null) {
      known = process.machine(name);
      machines.put(name, known);
    }
    return known;
  }
}
