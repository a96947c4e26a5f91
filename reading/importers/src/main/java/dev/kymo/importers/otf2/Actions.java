package dev.kymo.importers.otf2;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.otf2.archive.ArchiveDefinitions;
import dev.kymo.importers.otf2.archive.Defined.Location;
import dev.kymo.importers.otf2.archive.LocationEvents;
import dev.kymo.importers.otf2.archive.LocationEvents.Attribute;
import dev.kymo.importers.otf2.archive.Otf2EventKind;
import dev.kymo.importers.otf2.archive.Reference;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.List;

/** Conversion of an archive's events to those of a recording. */
final class Actions {
  /** What the model takes samples from. */
  private static final String SAMPLES = "sample";

  private static final String CALLS = "calls";
  private static final String ENDS = "ends of calls";
  private static final String COUNTERS = "counters";
  private static final String MESSAGES = "messages";
  private static final String EVENTS = "events of their own";
  private static final int NUMBERS = 256;

  private static final List<EventFields.Field> SAMPLE =
      List.of(Fields.of(FieldType.U32, "stack"), Fields.of(FieldType.U32, "unwind_distance"));

  private final Target target;
  private final ArchiveDefinitions definitions;
  private final Tracks tracks;
  private final Members members;
  private final Counters counters;
  private final Events events;
  private final long[] counts = new long[NUMBERS];

  Actions(Target target, ArchiveDefinitions definitions) throws IOException {
    this.target = target;
    this.definitions = definitions;
    this.tracks = new Tracks(target, definitions);
    this.members = new Members(definitions);
    this.counters = new Counters(definitions, tracks);
    this.events = new Events(definitions);
  }

  void take(LocationEvents event) throws IOException {
    int type = event.type();
    counts[type]++;
    Location location = event.location();
    Functions functions = tracks.functions(location);
    TargetTrack track = tracks.of(location);
    Otf2EventKind kind = event.kind();
    if (!event.attributes().isEmpty()) {
      number(event);
    }
    if (kind == null) {
      unknown(event, functions, track);
      return;
    }
    switch (type) {
      case Otf2EventKind.ENTER ->
          enter(event, functions, track, functions.of((int) event.value(0)));
      case Otf2EventKind.LEAVE ->
          leave(event, functions, track, functions.of((int) event.value(0)));
      case Otf2EventKind.CONTEXT_ENTER ->
          enter(event, functions, track, functions.ofContext((int) event.value(0)));
      case Otf2EventKind.CONTEXT_LEAVE ->
          leave(event, functions, track, functions.ofContext((int) event.value(0)));
      case Otf2EventKind.CONTEXT_SAMPLE -> sample(event, functions, track);
      case Otf2EventKind.METRIC -> {
        counters.take(event);
        events.putAttributes(event, functions, track, "metric", "attributes");
      }
      case Otf2EventKind.BUFFER_FLUSH -> flush(event, track, kind);
      case Otf2EventKind.MPI_SEND,
          Otf2EventKind.MPI_ISEND,
          Otf2EventKind.MPI_RECV,
          Otf2EventKind.MPI_IRECV ->
          events.put(event, functions, track, kind, side(event, location, type));
      default -> events.put(event, functions, track, kind, Events.Side.NONE);
    }
  }

  private void enter(LocationEvents event, Functions functions, TargetTrack track, int function)
      throws IOException {
    track.enter(event.time(), function);
    events.putAttributes(event, functions, track, "enter", called(event));
  }

  private void leave(LocationEvents event, Functions functions, TargetTrack track, int function)
      throws IOException {
    events.putAttributes(event, functions, track, "leave", called(event));
    track.leave(event.time(), function);
  }

  private String called(LocationEvents event) {
    boolean plain = event.type() == Otf2EventKind.ENTER || event.type() == Otf2EventKind.LEAVE;
    Reference of = plain ? Reference.REGION : Reference.CALLING_CONTEXT;
    return event.attributes().isEmpty() ? "" : definitions.name(of, event.value(0));
  }

  private void sample(LocationEvents event, Functions functions, TargetTrack track)
      throws IOException {
    String generator = definitions.name(Reference.INTERRUPT_GENERATOR, event.value(2));
    TargetEvent to =
        track.process().event(SAMPLES, generator, dev.kymo.format.EventKind.INSTANT, SAMPLE);
    track.event(event.time(), to, functions.stack((int) event.value(0)), event.value(1));
    events.putAttributes(event, functions, track, SAMPLES, "attributes");
  }

  /** The program did nothing until the tracer had written its buffer. */
  private static void flush(LocationEvents event, TargetTrack track, Otf2EventKind kind)
      throws IOException {
    TargetEvent to =
        track
            .process()
            .event(
                Events.subsystem(kind),
                Events.name(kind),
                dev.kymo.format.EventKind.BEGIN,
                List.of());
    track.span(event.time(), event.value(0), to);
  }

  private Events.Side side(LocationEvents event, Location location, int type) {
    boolean sends = type == Otf2EventKind.MPI_SEND || type == Otf2EventKind.MPI_ISEND;
    int comm = (int) event.value(1);
    long key = members.key(comm, location, event.value(0), event.value(2), sends);
    if (key == 0) {
      target
          .troubles()
          .count(
              "messages of communicators whose members are not known are events",
              "time=%d communicator=%d".formatted(event.time(), comm));
      return Events.Side.NONE;
    }
    return new Events.Side(
        sends ? dev.kymo.format.EventKind.SEND : dev.kymo.format.EventKind.RECEIVE, key);
  }

  private static void unknown(LocationEvents event, Functions functions, TargetTrack track)
      throws IOException {
    TargetEvent to =
        functions
            .process()
            .event(
                "otf2",
                "type " + event.type(),
                dev.kymo.format.EventKind.INSTANT,
                List.of(Fields.of(FieldType.BYTES, "bytes")));
    track.event(event.time(), to, (Object) event.unknown());
  }

  /** Score-P says by attributes which numbers processes and threads have. */
  private void number(LocationEvents event) throws IOException {
    long pid = 0;
    long tid = 0;
    for (Attribute attribute : event.attributes()) {
      switch (definitions.name(Reference.ATTRIBUTE, attribute.attribute())) {
        case "ProcessId" -> pid = attribute.value();
        case "ThreadId" -> tid = attribute.value();
        default -> {} // a field
      }
    }
    tracks.isNumbered(
        event.location(), Math.min(pid, Integer.MAX_VALUE), Math.min(tid, Integer.MAX_VALUE));
  }

  /** Says what became of what. */
  void finish() {
    for (int type = 0; type < NUMBERS; type++) {
      if (counts[type] > 0) {
        Otf2EventKind kind = Otf2EventKind.of(type);
        target
            .tally()
            .count(kind == null ? "type " + type : kind.name(), became(type), counts[type]);
      }
    }
  }

  private static String became(int type) {
    return switch (type) {
      case Otf2EventKind.ENTER, Otf2EventKind.CONTEXT_ENTER -> CALLS;
      case Otf2EventKind.LEAVE, Otf2EventKind.CONTEXT_LEAVE -> ENDS;
      case Otf2EventKind.CONTEXT_SAMPLE -> "samples with their stacks";
      case Otf2EventKind.METRIC -> COUNTERS;
      case Otf2EventKind.MPI_SEND,
          Otf2EventKind.MPI_ISEND,
          Otf2EventKind.MPI_RECV,
          Otf2EventKind.MPI_IRECV ->
          MESSAGES;
      default -> EVENTS;
    };
  }
}
