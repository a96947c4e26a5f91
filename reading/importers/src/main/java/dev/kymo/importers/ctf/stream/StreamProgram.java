package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.ClockClass;
import dev.kymo.importers.ctf.type.CtfScope;
import dev.kymo.importers.ctf.type.CtfStreamClass;
import dev.kymo.importers.ctf.type.EventClass;
import dev.kymo.importers.ctf.type.Role;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.target.ForeignException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that is needed to read the streams of one class. */
final class StreamProgram {
  final Node[] packetHeader;
  final Node[] packetContext;
  final Node[] eventHeader;
  final Node[] eventContext;
  final List<Leaf> packetLeaves;
  final Map<Long, CtfEventKind> events = new HashMap<>();

  /** The only kind of event, if events have no number. */
  final @Nullable CtfEventKind only;

  final ClockClass clock;

  /** Whether the clock's values are in events or packets. */
  final boolean timed;

  private final CtfStreamClass stream;
  private final Set<Role> roles = EnumSet.noneOf(Role.class);
  private int slots;

  StreamProgram(Path metadata, TraceClass trace, CtfStreamClass stream, List<CtfEventKind> all)
      throws ForeignException {
    this.stream = stream;
    Roles meanings = new Roles(trace, stream);
    Slots places = new Slots();
    Compilers compilers = new Compilers(metadata, trace, meanings);
    Compiler header = compilers.of(trace.packetHeader(), CtfScope.PACKET_HEADER, places);
    Compiler context = compilers.of(stream.packetContext(), CtfScope.PACKET_CONTEXT, places);
    Compiler eventPart = compilers.of(stream.eventHeader(), CtfScope.EVENT_HEADER, places);
    Compiler common = compilers.of(stream.eventContext(), CtfScope.COMMON_CONTEXT, places);
    this.packetHeader = array(header);
    this.packetContext = array(context);
    this.eventHeader = array(eventPart);
    this.eventContext = array(common);
    this.packetLeaves = List.copyOf(context.leaves());
    this.slots = places.count();
    addRoles(meanings, trace.packetHeader(), CtfScope.PACKET_HEADER);
    addRoles(meanings, stream.packetContext(), CtfScope.PACKET_CONTEXT);
    addRoles(meanings, stream.eventHeader(), CtfScope.EVENT_HEADER);
    this.timed = roles.contains(Role.TIME) || roles.contains(Role.BEGIN);
    this.clock = clock(metadata, trace);
    for (EventClass event : stream.events().values()) {
      CtfEventKind kind = compilers.event(event, common.leaves(), places, all.size());
      slots = Math.max(slots, compilers.slots);
      events.put(event.id(), kind);
      all.add(kind);
    }
    this.only = roles.contains(Role.EVENT_CLASS) ? null : only(metadata);
  }

  private static final class Compilers {
    private final Path metadata;
    private final TraceClass trace;
    private final Roles meanings;
    private int slots;

    Compilers(Path metadata, TraceClass trace, Roles meanings) {
      this.metadata = metadata;
      this.trace = trace;
      this.meanings = meanings;
    }

    Compiler of(StructType type, CtfScope scope, Slots places) throws ForeignException {
      return new Compiler(metadata, meanings, trace.uuid(), places, scope).compile(type);
    }

    CtfEventKind event(EventClass event, List<Leaf> common, Slots before, int number)
        throws ForeignException {
      Slots places = new Slots(before);
      Compiler context = of(event.context(), CtfScope.CONTEXT, places);
      Compiler fields = of(event.fields(), CtfScope.FIELDS, places);
      List<Leaf> contexts = new ArrayList<>(common);
      contexts.addAll(context.leaves());
      List<Node> nodes = new ArrayList<>(context.nodes());
      nodes.addAll(fields.nodes());
      slots = places.count();
      return new CtfEventKind(number, event, contexts, fields.leaves(), nodes);
    }
  }

  private static Node[] array(Compiler compiler) {
    return compiler.nodes().toArray(Node[]::new);
  }

  private void addRoles(Roles meanings, StructType type, CtfScope scope) {
    for (Role role : Role.values()) {
      if (meanings.has(type, role, scope)) {
        roles.add(role);
      }
    }
  }

  private ClockClass clock(Path metadata, TraceClass trace) throws ForeignException {
    String name = stream.clock();
    if (name == null) {
      name = Roles.clock(stream.eventHeader());
    }
    if (name == null) {
      name = Roles.clock(stream.packetContext());
    }
    if (name == null) {
      return trace.clocks().size() == 1
          ? trace.clocks().values().iterator().next()
          : ClockClass.UNKNOWN;
    }
    ClockClass known = trace.clocks().get(name);
    if (known == null) {
      throw new ForeignException("no such clock", metadata, 0, "clock=" + name);
    }
    return known;
  }

  private @Nullable CtfEventKind only(Path metadata) throws ForeignException {
    if (events.size() > 1) {
      throw new ForeignException(
          "a stream has several kinds of events, but its events have no id",
          metadata,
          0,
          "stream=" + stream.id() + " kinds=" + events.size());
    }
    return events.isEmpty() ? null : events.values().iterator().next();
  }

  CtfStreamClass stream() {
    return stream;
  }

  boolean has(Role role) {
    return roles.contains(role);
  }

  int slots() {
    return slots;
  }
}
