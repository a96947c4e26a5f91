package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.ctf.metadata.MetadataFile;
import dev.kymo.importers.ctf.type.ClockClass;
import dev.kymo.importers.ctf.type.CtfStreamClass;
import dev.kymo.importers.ctf.type.EventClass;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.target.ForeignException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a trace's classes of the blocks of its metadata. */
final class Blocks {
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final long NANOS = 1_000_000_000L;

  private final Problems problems;
  private final MetadataFile file;
  private final TsdlParser.FileContext tree;
  private final List<Block> blocks = new ArrayList<>();

  Blocks(Problems problems, MetadataFile file, TsdlParser.FileContext tree) {
    this.problems = problems;
    this.file = file;
    this.tree = tree;
  }

  TraceClass trace() throws ForeignException {
    Types types = new Types(problems, big());
    Names names = new Names(null);
    for (TsdlParser.ItemContext item : tree.item()) {
      if (item.definition() != null) {
        types.definition(item.definition(), names);
      } else if (item.alias() != null) {
        types.alias(item.alias(), names);
      } else if (item.block() != null) {
        blocks.add(new Block(problems, item.block(), types, names));
      }
    }
    Block trace = of("trace").get(0);
    checkVersion(trace);
    Map<Long, CtfStreamClass> streams = streams();
    addEvents(streams);
    return new TraceClass(
        1, uuid(trace), trace.structure("packet.header"), environment(), clocks(), streams);
  }

  private List<Block> of(String kind) {
    return blocks.stream().filter(block -> block.kind().equals(kind)).toList();
  }

  /** The byte order of the trace, which types before the trace's block have, too. */
  private boolean big() throws ForeignException {
    TsdlParser.BlockContext trace = null;
    for (TsdlParser.ItemContext item : tree.item()) {
      if (item.block() != null && item.block().kind.getText().equals("trace")) {
        if (trace != null) {
          throw problems.at(item.block(), "trace is there twice");
        }
        trace = item.block();
      }
    }
    if (trace == null) {
      throw ForeignException.inLine("metadata has no trace", file.path(), 1, "");
    }
    Attributes attributes = new Attributes(problems, trace);
    for (TsdlParser.EntryContext entry : trace.entry()) {
      if (entry.assignment() != null && entry.assignment().value() != null) {
        attributes.add(entry.assignment().path(), entry.assignment().value());
      }
    }
    boolean big = attributes.big(false, false);
    if (!attributes.has("byte_order") || "native".equals(attributes.word("byte_order"))) {
      throw problems.at(trace, "trace has no byte order");
    }
    if (file.big() != null && file.big() != big) {
      throw problems.at(trace, "metadata's packets have another byte order than the trace");
    }
    return big;
  }

  private static void checkVersion(Block trace) throws ForeignException {
    Attributes of = trace.attributes();
    if (!of.has("major") || !of.has("minor")) {
      throw trace.problem("trace has no version");
    }
    if (of.anyNumber("major") != 1 || of.anyNumber("minor") != 8) {
      throw of.problem("major", "trace has an unknown version");
    }
  }

  private @Nullable UUID uuid(Block trace) throws ForeignException {
    String text = trace.attributes().text("uuid");
    if (text == null) {
      return null;
    }
    if (!UUID_TEXT.matcher(text).matches()) {
      throw trace.attributes().problem("uuid", "no UUID");
    }
    UUID uuid = UUID.fromString(text);
    if (file.uuid() != null && !uuid.equals(file.uuid())) {
      throw trace.attributes().problem("uuid", "metadata's packets have another UUID");
    }
    return uuid;
  }

  private Map<String, Object> environment() throws ForeignException {
    Map<String, Object> environment = new LinkedHashMap<>();
    for (Block block : of("env")) {
      Attributes of = block.attributes();
      for (Map.Entry<String, TsdlParser.ValueContext> each : of.all().entrySet()) {
        boolean number = each.getValue().NUMBER() != null;
        Object value = number ? of.number(each.getKey()) : of.text(each.getKey());
        environment.put(each.getKey(), Objects.requireNonNull(value));
      }
    }
    return environment;
  }

  private Map<String, ClockClass> clocks() throws ForeignException {
    Map<String, ClockClass> clocks = new LinkedHashMap<>();
    for (Block block : of("clock")) {
      Attributes of = block.attributes();
      String name = of.text("name");
      if (name == null) {
        throw block.problem("clock has no name");
      }
      long seconds = of.anyNumber("offset_s");
      long ticks = of.anyNumber("offset");
      boolean wall = seconds != 0 || ticks != 0;
      long frequency = of.number("freq", NANOS, 1, Long.MAX_VALUE);
      if (clocks.put(name, new ClockClass(name, frequency, seconds, ticks, wall)) != null) {
        throw block.problem("clock is there twice");
      }
    }
    return clocks;
  }

  private Map<Long, CtfStreamClass> streams() throws ForeignException {
    Map<Long, CtfStreamClass> streams = new HashMap<>();
    for (Block block : of("stream")) {
      Long given = block.id("id");
      long id = given == null ? 0 : given;
      CtfStreamClass stream =
          new CtfStreamClass(
              id,
              block.structure("packet.context"),
              block.structure("event.header"),
              block.structure("event.context"),
              null,
              new HashMap<>());
      if (streams.put(id, stream) != null) {
        throw block.problem("stream is there twice");
      }
    }
    if (streams.isEmpty()) {
      StructType none = StructType.EMPTY;
      streams.put(0L, new CtfStreamClass(0, none, none, none, null, new HashMap<>()));
    }
    return streams;
  }

  private void addEvents(Map<Long, CtfStreamClass> streams) throws ForeignException {
    for (Block block : of("event")) {
      Long id = block.id("id");
      Long of = block.id("stream_id");
      if (of == null && streams.size() > 1) {
        throw block.problem("event has no stream_id");
      }
      CtfStreamClass stream = of == null ? streams.values().iterator().next() : streams.get(of);
      if (stream == null) {
        throw block.problem("event is of an unknown stream");
      }
      String name = block.attributes().text("name");
      long number = id == null ? 0 : id;
      EventClass event =
          new EventClass(
              number,
              name == null ? "event " + number : name,
              block.structure("context"),
              block.structure("fields"));
      if (stream.events().put(number, event) != null) {
        throw block.problem("event is there twice");
      }
    }
  }
}
