package dev.kymo.importers.paje;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.paje.Containers.Container;
import dev.kymo.importers.paje.Containers.Lane;
import dev.kymo.importers.paje.Containers.Variable;
import dev.kymo.importers.paje.PajeTypes.PajeType;
import dev.kymo.importers.paje.lines.PajeEvent;
import dev.kymo.importers.paje.lines.PajeKind;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Effects of events on containers, in Kymo's words. */
final class PajeActions {
  private static final int MOST_NAMES = 200_000;

  /** Fields that are told by the place or the name of what an event becomes. */
  private static final Set<String> TOLD =
      Set.of(
          "Time",
          "Type",
          "Container",
          "Value",
          "StartContainer",
          "EndContainer",
          "Key",
          "Alias",
          "Name",
          "Color");

  private final Target target;
  private final Containers containers;
  private final PajeLinks links = new PajeLinks();
  private final Set<String> names = new HashSet<>();

  PajeActions(Target target, Containers containers) {
    this.target = target;
    this.containers = containers;
  }

  /** A value's name; many different ones are numbers rather than names. */
  private String name(PajeType type, String value) {
    String name = type.value(value);
    if (names.size() >= MOST_NAMES && !names.contains(name)) {
      target.troubles().count("names of values beyond 200000 are one", "value=\"" + name + "\"");
      return "other";
    }
    names.add(name);
    return name.isEmpty() ? "unnamed" : name;
  }

  void push(Container container, PajeType type, PajeEvent event) throws IOException {
    target.tally().count("State", "calls");
    Lane lane = containers.lane(target, container, type);
    String name = name(type, event.get("Value"));
    TargetProcess process = lane.track.process();
    lane.track.enter(
        event.time(), process.function(TargetProcess.Code.of(type.name()), name, "", 0));
    lane.depth++;
    more(lane.track, type.name(), name, event);
  }

  /** The fields that only this file has are an event of their own. */
  private void more(TargetTrack track, String subsystem, String name, PajeEvent event)
      throws IOException {
    List<EventFields.Field> fields = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    extra(event, fields, values);
    if (!fields.isEmpty()) {
      TargetEvent kind = track.process().event(subsystem, name, EventKind.INSTANT, fields);
      track.event(event.time(), kind, values.toArray());
    }
  }

  private static void extra(PajeEvent event, List<EventFields.Field> fields, List<Object> values) {
    for (Map.Entry<String, String> field : event.fields().entrySet()) {
      if (!TOLD.contains(field.getKey())) {
        fields.add(Fields.of(FieldType.STR, field.getKey()));
        values.add(field.getValue());
      }
    }
  }

  void pop(Container container, PajeType type, PajeEvent event) throws IOException {
    Lane lane = containers.lane(target, container, type);
    if (lane.depth == 0) {
      target
          .troubles()
          .count("ends of states that had not begun were left out", "line=" + event.line());
      return;
    }
    lane.depth--;
    lane.track.leave(event.time());
    more(lane.track, type.name(), "end", event);
  }

  void reset(Container container, PajeType type, long time) throws IOException {
    end(containers.lane(target, container, type), time);
  }

  private static void end(Lane lane, long time) throws IOException {
    for (; lane.depth > 0; lane.depth--) {
      lane.track.leave(time);
    }
  }

  void destroy(Container container, long time) throws IOException {
    List<Container> all = new ArrayList<>(List.of(container));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).children());
      for (Lane lane : all.get(i).lanes()) {
        end(lane, time);
      }
    }
  }

  void event(Container container, PajeType type, PajeEvent event) throws IOException {
    target.tally().count("Event", "events of their own");
    TargetTrack track = containers.track(target, container);
    List<EventFields.Field> fields = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    extra(event, fields, values);
    String name = name(type, event.get("Value"));
    TargetEvent kind = track.process().event(type.name(), name, EventKind.INSTANT, fields);
    track.event(event.time(), kind, values.toArray());
  }

  void variable(Container container, PajeType type, PajeEvent event, double value)
      throws IOException {
    Variable variable = container.variable(type);
    if (!variable.isSet() && event.kind() != PajeKind.SET_VARIABLE) {
      target
          .troubles()
          .count("variables without a value are taken to be 0", "line=" + event.line());
    }
    variable.value =
        switch (event.kind()) {
          case ADD_VARIABLE -> variable.value + value;
          case SUB_VARIABLE -> variable.value - value;
          default -> value;
        };
    if (variable.time != event.time()) {
      target.tally().count("Variable", "counters");
    }
    variable.time = event.time();
    TargetTrack track = containers.track(target, container);
    List<EventFields.Field> fields = List.of(Fields.of(FieldType.F64, "value"));
    TargetEvent kind = track.process().event("variable", type.name(), EventKind.COUNTER, fields);
    track.event(event.time(), kind, variable.value);
    more(track, "variable", type.name() + " fields", event);
  }

  void link(Container container, PajeType type, PajeEvent event, boolean start) throws IOException {
    TargetTrack track = containers.track(target, container);
    long key = PajeLinks.key(event.get("Container"), event.get("Type"), event.get("Key"));
    if (links.see(key, start ? 1 : -1)) {
      target.tally().count("Link", "messages");
    }
    List<EventFields.Field> fields =
        new ArrayList<>(List.of(Fields.of(FieldType.U64, "key"), Fields.of(FieldType.STR, "link")));
    List<Object> values = new ArrayList<>(List.of(key, event.get("Key")));
    extra(event, fields, values);
    TargetEvent kind =
        track
            .process()
            .event(
                type.name(),
                name(type, event.get("Value")),
                start ? EventKind.SEND : EventKind.RECEIVE,
                fields);
    track.event(event.time(), kind, values.toArray());
  }

  void finish() {
    long incomplete = links.incomplete();
    if (incomplete > 0) {
      target.tally().count("Link with one end", "events of their own", incomplete);
    }
  }
}
