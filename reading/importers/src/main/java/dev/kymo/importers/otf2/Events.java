package dev.kymo.importers.otf2;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.otf2.archive.ArchiveDefinitions;
import dev.kymo.importers.otf2.archive.Labels;
import dev.kymo.importers.otf2.archive.LocationEvents;
import dev.kymo.importers.otf2.archive.LocationEvents.Attribute;
import dev.kymo.importers.otf2.archive.Otf2EventKind;
import dev.kymo.importers.otf2.archive.Reference;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes events with fields. A kind {@code RMA_PUT} is the event {@code put} of the subsystem {@code
 * rma}; attributes are fields after the others; what is referred to is a field with its name.
 */
final class Events {
  private static final List<FieldType> TYPES =
      List.of(
          FieldType.U8,
          FieldType.U16,
          FieldType.U32,
          FieldType.U64,
          FieldType.I8,
          FieldType.I16,
          FieldType.I32,
          FieldType.I64,
          FieldType.F32,
          FieldType.F64);

  /** Numbers below 0 mean that no member, the member itself, or its own group is the root. */
  private static final List<String> ROOTS = List.of("none", "self", "this_group");

  private static final int MOST_KINDS = 100_000;

  private final ArchiveDefinitions definitions;
  private final Map<Key, TargetEvent> known = new HashMap<>();

  /** A kind of event with attributes of some kinds. */
  private record Key(
      Functions process,
      String subsystem,
      String name,
      dev.kymo.format.EventKind kind,
      List<Long> attributes) {}

  Events(ArchiveDefinitions definitions) {
    this.definitions = definitions;
  }

  /** The kind's subsystem: what its name begins with. */
  static String subsystem(Otf2EventKind kind) {
    String name = kind.name();
    return name.startsWith("NON_") ? "mpi" : word(name.substring(0, name.indexOf('_')));
  }

  /** The rest of its name. */
  static String name(Otf2EventKind kind) {
    String name = kind.name();
    return word(name.startsWith("NON_") ? name : name.substring(name.indexOf('_') + 1));
  }

  private static String word(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Puts an event with all its fields on a track; one that is a message has its key first. */
  void put(
      LocationEvents event, Functions process, TargetTrack track, Otf2EventKind kind, Side side)
      throws IOException {
    List<Object> values = new ArrayList<>();
    if (side.isMessage()) {
      values.add(side.key);
    }
    for (int i = 0; i < kind.fields().size(); i++) {
      values.add(value(event, kind.fields().get(i), i));
    }
    for (Attribute attribute : event.attributes()) {
      values.add(value(attribute));
    }
    Key key = new Key(process, subsystem(kind), name(kind), side.kind, signature(event));
    track.event(event.time(), of(key, track, kind, event.attributes()), values.toArray());
  }

  /**
   * Whether an event is an end of a message.
   *
   * @param key of the message
   */
  record Side(dev.kymo.format.EventKind kind, long key) {
    static final Side NONE = new Side(dev.kymo.format.EventKind.INSTANT, 0);

    boolean isMessage() {
      return kind != dev.kymo.format.EventKind.INSTANT;
    }
  }

  /** Puts the attributes of an event on a track; nothing if it has none. */
  void putAttributes(
      LocationEvents event, Functions process, TargetTrack track, String subsystem, String name)
      throws IOException {
    if (event.attributes().isEmpty()) {
      return;
    }
    Key key =
        new Key(process, subsystem, name, dev.kymo.format.EventKind.INSTANT, signature(event));
    TargetEvent to = of(key, track, null, event.attributes());
    track.event(event.time(), to, event.attributes().stream().map(this::value).toArray());
  }

  private static List<Long> signature(LocationEvents event) {
    if (event.attributes().isEmpty()) {
      return List.of();
    }
    List<Long> signature = new ArrayList<>();
    for (Attribute attribute : event.attributes()) {
      signature.add((long) attribute.attribute() << 8 | attribute.type());
    }
    return signature;
  }

  private TargetEvent of(
      Key key, TargetTrack track, @Nullable Otf2EventKind kind, List<Attribute> attributes)
      throws IOException {
    TargetEvent event = known.get(key);
    if (event == null) {
      List<EventFields.Field> fields = new ArrayList<>();
      if (key.kind != dev.kymo.format.EventKind.INSTANT) {
        fields.add(Fields.of(FieldType.U64, "key"));
      }
      if (kind != null) {
        kind.fields().forEach(field -> fields.add(Fields.of(type(field), field.name())));
      }
      for (Attribute attribute : attributes) {
        String name = definitions.name(Reference.ATTRIBUTE, attribute.attribute());
        fields.add(Fields.of(type(attribute), name));
      }
      event = track.process().event(key.subsystem, key.name, key.kind, fields);
      if (known.size() == MOST_KINDS) {
        known.clear();
      }
      known.put(key, event);
    }
    return event;
  }

  private static FieldType type(Otf2EventKind.Field field) {
    return switch (field.form()) {
      case "u32" -> FieldType.U32;
      case "u64", "time" -> FieldType.U64;
      case "i64" -> FieldType.I64;
      default -> FieldType.STR;
    };
  }

  private static FieldType type(Attribute attribute) {
    return attribute.type() <= TYPES.size() ? TYPES.get(attribute.type() - 1) : FieldType.STR;
  }

  private Object value(Attribute attribute) {
    Reference of = Reference.ofType(attribute.type());
    if (of != null) {
      return definitions.name(of, attribute.value());
    }
    return switch (type(attribute)) {
      case F32 -> Float.intBitsToFloat((int) attribute.value());
      case F64 -> Double.longBitsToDouble(attribute.value());
      default -> attribute.value();
    };
  }

  private Object value(LocationEvents event, Otf2EventKind.Field field, int place) {
    long value = event.value(place);
    if (field.reference() != null) {
      return definitions.name(field.reference(), value);
    }
    Labels labels = field.labels();
    if (labels != null) {
      return labels.text(value);
    }
    return switch (field.form()) {
      case "paradigm" -> definitions.paradigm((int) value);
      case "io_paradigm" -> definitions.ioParadigm((int) value);
      case "root" -> root((int) value);
      case "strings" -> texts(event.list());
      default -> value;
    };
  }

  private static String root(int rank) {
    int special = -1 - rank;
    return special >= 0 && special < ROOTS.size()
        ? ROOTS.get(special)
        : Integer.toUnsignedString(rank);
  }

  private String texts(long[] strings) {
    StringBuilder text = new StringBuilder();
    for (long string : strings) {
      text.append(text.isEmpty() ? "" : " ").append(definitions.name(Reference.STRING, string));
    }
    return text.toString();
  }
}
