package dev.kymo.importers.chrome;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.chrome.Words.Shape;
import dev.kymo.importers.chrome.json.TraceEvent;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Defines kinds of events in the processes that have them, and lays out their values. */
final class Writer {
  private static final int MOST = 300_000;
  private static final int MOST_MORE = 32 * 1024;

  /** What an event's kind is if the file has too many. */
  private static final String OTHER = "other";

  private static final EventFields.Field KEY = Fields.of(FieldType.U64, "key");

  private final Target target;
  private final Kinds kinds;
  private final Map<Use, TargetEvent> events = new HashMap<>();
  private Object[] values = {};

  private record Use(TargetProcess process, Kind kind) {}

  Writer(Target target, Kinds kinds) {
    this.target = target;
    this.kinds = kinds;
  }

  /** The kind of an event; {@link #values} are its values then. */
  TargetEvent prepare(TargetTrack track, Shape shape, TraceEvent event, Map<String, Object> fields)
      throws IOException {
    EventKind kind = Words.kind(shape);
    String name = Words.name(event);
    Kind known = kinds.known(kind, event.category(), name);
    if (known == null || (events.size() >= MOST && !isDefined(track, known))) {
      target
          .troubles()
          .count("kinds of events beyond 50000 share one", "name=\"" + event.name() + "\"");
      values = new Object[] {name, text(fields)};
      return other(track, kind);
    }
    values = known.values(fields);
    if (!fields.isEmpty() && values.length > 0) {
      more(known, fields);
    }
    return known(track, known);
  }

  private boolean isDefined(TargetTrack track, Kind kind) {
    return events.containsKey(new Use(track.process(), kind));
  }

  private void more(Kind known, Map<String, Object> fields) {
    List<EventFields.Field> all = known.fields();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).name().equals(Kinds.MORE) && all.get(i).type() == FieldType.STR) {
        values[i] = (values[i] + " " + text(fields)).strip();
      }
    }
  }

  private static String text(Map<String, Object> fields) {
    StringBuilder text = new StringBuilder();
    fields.forEach((field, value) -> {
      if (text.length() < MOST_MORE) {
        text.append(text.isEmpty() ? "" : " ").append(field).append('=').append(value);
      }
    });
    return text.length() <= MOST_MORE ? text.toString() : text.substring(0, MOST_MORE);
  }

  /** Values of the event that was prepared last. */
  Object[] values() {
    return values;
  }

  /** The same of a message. */
  Object[] values(long key) {
    Object[] all = new Object[values.length + 1];
    all[0] = key;
    System.arraycopy(values, 0, all, 1, values.length);
    return all;
  }

  /** A kind of events in the process of a track. */
  TargetEvent known(TargetTrack track, Kind kind) throws IOException {
    Use use = new Use(track.process(), kind);
    TargetEvent known = events.get(use);
    if (known == null) {
      known =
          track
              .process()
              .event(kind.category(), kind.name(), kind.kind(), keyed(kind.kind(), kind.fields()));
      events.put(use, known);
    }
    return known;
  }

  private static List<EventFields.Field> keyed(EventKind kind, List<EventFields.Field> fields) {
    if (kind != EventKind.SEND && kind != EventKind.RECEIVE) {
      return fields;
    }
    List<EventFields.Field> all = new ArrayList<>();
    all.add(KEY);
    all.addAll(fields);
    return all;
  }

  private static TargetEvent other(TargetTrack track, EventKind kind) throws IOException {
    List<EventFields.Field> fields =
        List.of(Fields.of(FieldType.STR, "name"), Fields.of(FieldType.STR, "args"));
    return track.process().event("", OTHER, kind, keyed(kind, fields));
  }

  /** A message of a slice that names its flow. */
  TargetEvent bound(TargetTrack track, String subsystem, EventKind kind) throws IOException {
    return track
        .process()
        .event(subsystem, kind.word(), kind, List.of(KEY, Fields.of(FieldType.STR, "bind_id")));
  }
}
