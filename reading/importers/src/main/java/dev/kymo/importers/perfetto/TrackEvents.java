package dev.kymo.importers.perfetto;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.perfetto.wire.Message;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events on tracks: calls, instants, counters, and flows between them, which are messages. */
final class TrackEvents {
  private static final int BEGIN = 1;
  private static final int END = 2;
  private static final int INSTANT = 3;
  private static final int COUNTER = 4;
  private static final int MOST_FLOWS = 1 << 20;
  private static final List<EventFields.Field> KEY = List.of(Fields.of(FieldType.U64, "key"));

  private final Target target;
  private final Tracks tracks;

  /** Flows that go on, with the keys of the messages that they sent last. */
  private final Map<Long, Long> flows = new HashMap<>();

  private long keys;

  TrackEvents(Target target, Tracks tracks) {
    this.target = target;
    this.tracks = tracks;
  }

  /** An event as it stands in its packet. */
  private static final class Event {
    private int type;
    private long track;
    private String name = "";
    private String category = "";
    private @Nullable Number value;
    private long duration = -1;
    private final Notes notes = new Notes();
    private final List<Long> goesOn = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
  }

  /**
   * Takes an event.
   *
   * @param lost whether packets before its own are missing, nobody says how many
   */
  void take(long time, Sequence sequence, Message message, boolean lost) throws IOException {
    Event event = new Event();
    event.track = sequence.track();
    read(event, sequence, message);
    TargetTrack track = tracks.of(event.track);
    if (lost) {
      track.lose(time, 1);
    }
    switch (event.type) {
      case BEGIN -> begin(time, track, event);
      case END -> end(time, track, event);
      case COUNTER -> counter(time, track, event);
      default -> instant(time, track, event);
    }
    flows(time, track, event);
  }

  private static void read(Event event, Sequence sequence, Message from) {
    while (from.next()) {
      switch (from.field()) {
        case 3 -> from.numbers(false, id -> category(event, sequence.category(id)));
        case 4 -> event.notes.add(sequence, "", from.message(), 0);
        case 6 -> legacy(event, sequence, from.message());
        case 9 -> event.type = (int) from.number();
        case 10 -> event.name = sequence.name(from.number());
        case 11 -> event.track = from.number();
        case 22 -> category(event, from.text());
        case 23 -> event.name = from.text();
        case 30 -> event.value = from.number();
        case 36 -> from.numbers(false, event.goesOn::add);
        case 42 -> from.numbers(false, event.ends::add);
        case 44 -> event.value = from.real();
        case 47 -> from.numbers(true, event.goesOn::add);
        case 48 -> from.numbers(true, event.ends::add);
        default -> {
          if (!from.isNumber()) {
            event.notes.add(FieldType.BYTES, "field_" + from.field(), from.raw());
          }
        }
      }
    }
  }

  private static void category(Event event, String name) {
    event.category = event.category.isEmpty() ? name : event.category + "," + name;
  }

  /** Events of older programs have a phase, as in Chrome's JSON. */
  private static void legacy(Event event, Sequence sequence, Message from) {
    while (from.next()) {
      switch (from.field()) {
        case 1 -> event.name = sequence.name(from.number());
        case 2 -> {
          char phase = (char) from.number();
          event.type = phase == 'B' || phase == 'X' ? BEGIN : phase == 'E' ? END : INSTANT;
          if (event.type == INSTANT && phase != 'i' && phase != 'I') {
            event.notes.add(FieldType.STR, "phase", String.valueOf(phase));
          }
        }
        case 3 -> event.duration = from.number() * 1000;
        case 6, 10, 11 -> event.notes.add(FieldType.U64, "id", from.number());
        default -> {} // nothing that is kept
      }
    }
  }

  private TargetEvent kind(TargetTrack track, Event event, EventKind kind) throws IOException {
    String name = event.name.isEmpty() ? "(no name)" : event.name;
    return track.process().event(event.category, name, kind, event.notes.fields());
  }

  private void begin(long time, TargetTrack track, Event event) throws IOException {
    if (event.duration >= 0) {
      TargetEvent kind = kind(track, event, EventKind.BEGIN);
      track.span(time, time + event.duration, kind, event.notes.values());
    } else if (event.category.isEmpty() && event.notes.isEmpty()) {
      track.enter(time, track.process().function(event.name.isEmpty() ? "(no name)" : event.name));
    } else {
      track.begin(time, kind(track, event, EventKind.BEGIN), event.notes.values());
    }
    target.tally().count("slice begin", "calls");
  }

  private void end(long time, TargetTrack track, Event event) throws IOException {
    if (!event.notes.isEmpty()) {
      event.name = event.name.isEmpty() ? "end" : event.name;
      track.event(time, kind(track, event, EventKind.INSTANT), event.notes.values());
    }
    track.leave(time);
    target.tally().count("slice end", "ends of calls");
  }

  private void instant(long time, TargetTrack track, Event event) throws IOException {
    track.event(time, kind(track, event, EventKind.INSTANT), event.notes.values());
    target.tally().count("instant", "events");
  }

  private void counter(long time, TargetTrack track, Event event) throws IOException {
    Number value = event.value == null ? 0L : event.value;
    FieldType type = value instanceof Double ? FieldType.F64 : FieldType.I64;
    TargetEvent counter =
        track
            .process()
            .event(
                event.category,
                tracks.counter(event.track),
                EventKind.COUNTER,
                List.of(Fields.of(type, "value")));
    track.event(time, counter, value);
    target.tally().count("counter", "counters");
  }

  private void flows(long time, TargetTrack track, Event event) throws IOException {
    for (long flow : event.goesOn) {
      receive(time, track, flow);
      if (flows.size() < MOST_FLOWS) {
        flows.put(flow, ++keys);
        track.event(time, track.process().event("flow", "send", EventKind.SEND, KEY), keys);
      }
    }
    for (long flow : event.ends) {
      receive(time, track, flow);
      flows.remove(flow);
    }
  }

  private void receive(long time, TargetTrack track, long flow) throws IOException {
    Long key = flows.get(flow);
    if (key != null) {
      track.event(time, track.process().event("flow", "receive", EventKind.RECEIVE, KEY), key);
    }
  }
}
