package dev.kymo.importers.ctf.json;

import dev.kymo.importers.ctf.metadata.MetadataFile;
import dev.kymo.importers.ctf.type.ClockClass;
import dev.kymo.importers.ctf.type.CtfStreamClass;
import dev.kymo.importers.ctf.type.EventClass;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.target.ForeignException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes the objects of the metadata, in their order. */
final class Fragments {
  private static final long NANOS = 1_000_000_000L;

  private final MetadataFile file;
  private final FieldClasses classes = new FieldClasses();
  private final Map<String, Object> environment = new LinkedHashMap<>();
  private final Map<String, ClockClass> clocks = new LinkedHashMap<>();
  private final Map<Long, CtfStreamClass> streams = new HashMap<>();
  private StructType header = StructType.EMPTY;
  private @Nullable UUID uuid;
  private boolean traced;

  Fragments(MetadataFile file) {
    this.file = file;
  }

  void add(Item item, boolean first) throws ForeignException {
    String type = item.needText("type");
    if (first != type.equals("preamble")) {
      throw item.problem("preamble is not the first object of the metadata", "type=" + type);
    }
    switch (type) {
      case "preamble" -> preamble(item);
      case "field-class-alias" -> classes.alias(item);
      case "trace-class" -> trace(item);
      case "clock-class" -> clock(item);
      case "data-stream-class" -> stream(item);
      case "event-record-class" -> event(item);
      default -> throw item.problem("object of the metadata is of an unknown type", "type=" + type);
    }
  }

  private void preamble(Item item) throws ForeignException {
    long version = item.number("version", 0);
    if (version != 2) {
      throw item.problem("metadata has an unknown version", "version=" + version);
    }
    uuid = uuid(item);
  }

  private static @Nullable UUID uuid(Item item) throws ForeignException {
    List<?> bytes = item.list("uuid");
    if (bytes.isEmpty()) {
      return null;
    }
    long[] halves = new long[2];
    for (int i = 0; i < bytes.size(); i++) {
      if (bytes.size() != 16 || !(bytes.get(i) instanceof Number number)) {
        throw item.problem("no UUID", "");
      }
      halves[i / 8] = halves[i / 8] << 8 | (number.longValue() & 0xFF);
    }
    return new UUID(halves[0], halves[1]);
  }

  private void trace(Item item) throws ForeignException {
    if (traced) {
      throw item.problem("trace-class is there twice", "");
    }
    traced = true;
    header = classes.structure(item, "packet-header-field-class");
    UUID own = uuid(item);
    uuid = own == null ? uuid : own;
    Item values = item.item("environment");
    if (values != null) {
      environment.putAll(values.members());
    }
  }

  private void clock(Item item) throws ForeignException {
    String name = item.text("id");
    name = name == null ? item.needText("name") : name;
    Item offset = item.item("offset-from-origin");
    offset = offset == null ? item.item("offset") : offset;
    long seconds = offset == null ? 0 : offset.number("seconds", 0);
    long ticks = offset == null ? 0 : offset.number("cycles", 0);
    boolean wall = "unix-epoch".equals(item.get("origin"));
    long frequency = item.number("frequency", NANOS, 1, Long.MAX_VALUE);
    if (clocks.put(name, new ClockClass(name, frequency, seconds, ticks, wall)) != null) {
      throw item.problem("clock-class is there twice", "name=" + name);
    }
  }

  private void stream(Item item) throws ForeignException {
    long id = item.number("id", 0);
    String clock = item.text("default-clock-class-id");
    clock = clock == null ? item.text("default-clock-class-name") : clock;
    if (clock != null && !clocks.containsKey(clock)) {
      throw item.problem("no such clock-class", "name=" + clock);
    }
    CtfStreamClass stream =
        new CtfStreamClass(
            id,
            classes.structure(item, "packet-context-field-class"),
            classes.structure(item, "event-record-header-field-class"),
            classes.structure(item, "event-record-common-context-field-class"),
            clock,
            new HashMap<>());
    if (streams.put(id, stream) != null) {
      throw item.problem("data-stream-class is there twice", "id=" + id);
    }
  }

  private void event(Item item) throws ForeignException {
    long id = item.number("id", 0);
    long of = item.number("data-stream-class-id", 0);
    CtfStreamClass stream = streams.get(of);
    if (stream == null) {
      throw item.problem("event-record-class is of an unknown stream", "stream=" + of);
    }
    String name = item.text("name");
    EventClass event =
        new EventClass(
            id,
            name == null ? "event " + id : name,
            classes.structure(item, "specific-context-field-class"),
            classes.structure(item, "payload-field-class"));
    if (stream.events().put(id, event) != null) {
      throw item.problem("event-record-class is there twice", "id=" + id + " stream=" + of);
    }
  }

  TraceClass trace() throws ForeignException {
    if (streams.isEmpty()) {
      throw ForeignException.inLine("metadata has no stream", file.path(), 1, "");
    }
    return new TraceClass(2, uuid, header, environment, clocks, streams);
  }
}
