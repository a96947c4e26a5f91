package dev.kymo.importers.otf2;

import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.otf2.archive.ArchiveDefinitions;
import dev.kymo.importers.otf2.archive.Defined;
import dev.kymo.importers.otf2.archive.Defined.Location;
import dev.kymo.importers.otf2.archive.Defined.MetricClass;
import dev.kymo.importers.otf2.archive.Defined.MetricInstance;
import dev.kymo.importers.otf2.archive.Defined.MetricMember;
import dev.kymo.importers.otf2.archive.LocationEvents;
import dev.kymo.importers.otf2.archive.Reference;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes counters of metrics; their names have their units. */
final class Counters {
  private static final String SUBSYSTEM = "metric";
  private static final int OF_LOCATION = 0;
  private static final int OF_NODE = 2;
  private static final int UNSIGNED = 4;
  private static final int REAL = 10;

  /** Scopes that counters can have, by their numbers; a node is called by its string. */
  private static final List<Reference> SCOPES =
      List.of(Reference.LOCATION, Reference.LOCATION_GROUP, Reference.STRING, Reference.GROUP);

  private final ArchiveDefinitions definitions;
  private final Tracks tracks;
  private final Map<Key, TargetEvent> counters = new HashMap<>();

  private record Key(Functions process, int metric, int place, FieldType type) {}

  Counters(ArchiveDefinitions definitions, Tracks tracks) {
    this.definitions = definitions;
    this.tracks = tracks;
  }

  void take(LocationEvents event) throws IOException {
    int metric = (int) event.value(0);
    MetricInstance instance = definitions.metricInstance(metric);
    Location location = event.location();
    if (instance != null && instance.scopeKind() == OF_LOCATION) {
      Location scope = definitions.location(instance.scope());
      location = scope == null ? location : scope;
    }
    TargetTrack track = tracks.of(location);
    long[] values = event.list();
    for (int i = 0; i < values.length; i += 2) {
      FieldType type = type((int) values[i]);
      Key key = new Key(tracks.functions(location), metric, i / 2, type);
      TargetEvent counter = counters.get(key);
      if (counter == null) {
        counter = define(track, key, instance);
        counters.put(key, counter);
      }
      track.event(event.time(), counter, value(type, values[i + 1]));
    }
  }

  private static FieldType type(int type) {
    return type == REAL ? FieldType.F64 : type == UNSIGNED ? FieldType.U64 : FieldType.I64;
  }

  private static Number value(FieldType type, long bits) {
    if (type == FieldType.F64) {
      return Double.longBitsToDouble(bits);
    }
    return bits;
  }

  private TargetEvent define(TargetTrack track, Key key, @Nullable MetricInstance instance)
      throws IOException {
    String name = name(instance == null ? key.metric : instance.metricClass(), key.place);
    if (instance != null && instance.scopeKind() != OF_LOCATION) {
      name += " of " + scope(instance);
    }
    return track
        .process()
        .event(SUBSYSTEM, name, EventKind.COUNTER, List.of(Fields.of(key.type, "value")));
  }

  private String name(int id, int place) {
    MetricClass of = definitions.metricClass(id);
    int number = of == null || place >= of.members().length ? Defined.NONE : of.members()[place];
    MetricMember member = definitions.metricMember(number);
    String name = member == null ? "" : definitions.string(member.name());
    if (name.isEmpty()) {
      return "metric " + Integer.toUnsignedString(id) + "." + place;
    }
    String unit = member == null ? "" : unit(member);
    return unit.isEmpty() ? name : name + " [" + unit + "]";
  }

  /** Plain numbers have none. */
  private String unit(MetricMember member) {
    String unit = definitions.string(member.unit());
    String plain = unit.equals("#") ? "" : unit;
    if (member.exponent() == 0) {
      return plain;
    }
    return ((member.base() == 0 ? "2^" : "10^") + member.exponent() + " " + plain).strip();
  }

  private String scope(MetricInstance instance) {
    int kind = instance.scopeKind();
    if (kind >= SCOPES.size()) {
      return "scope " + instance.scope();
    }
    Defined.Node node = kind == OF_NODE ? definitions.node((int) instance.scope()) : null;
    return definitions.name(SCOPES.get(kind), node == null ? instance.scope() : node.name());
  }
}
