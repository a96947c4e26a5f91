package dev.kymo.importers.ctf;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.ctf.stream.CtfEventKind;
import dev.kymo.importers.ctf.stream.Leaf;
import dev.kymo.importers.target.Fields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plan of what one kind of event becomes: which of its values say where it belongs, which are its
 * fields.
 */
final class Plan {
  /** What an event means beyond its fields. */
  enum Meaning {
    EVENT,
    CALL,
    RETURN,
    /** A file is in memory from now on. */
    MAPPED,
    /** The process says its name. */
    NAME
  }

  /** Contexts that the track says. */
  private static final Set<String> OF_TRACK = Set.of("vpid", "vtid", "procname");

  private static final int LONGEST_NAME = 200;

  final Meaning meaning;
  final @Nullable Leaf pid;
  final @Nullable Leaf tid;
  final @Nullable Leaf procname;
  final @Nullable Leaf cpu;
  final @Nullable Leaf address;
  final @Nullable Leaf begin;
  final @Nullable Leaf size;
  final @Nullable Leaf path;
  final @Nullable Leaf relative;
  final String subsystem;
  final String name;
  final Leaf[] leaves;
  final List<EventFields.Field> fields = new ArrayList<>();

  /** Kinds of the recording's events, by their processes. */
  final Map<Processes.Known, dev.kymo.importers.target.TargetEvent> events = new HashMap<>();

  Plan(CtfEventKind kind, String tracer) {
    int colon = kind.name().indexOf(':');
    this.subsystem = shortened(colon > 0 ? kind.name().substring(0, colon) : tracer);
    this.name = shortened(colon > 0 ? kind.name().substring(colon + 1) : kind.name());
    this.pid = integer(first(kind.context("vpid"), kind.context("pid"), kind.find("perf_pid")));
    this.tid = integer(first(kind.context("vtid"), kind.context("tid"), kind.find("perf_tid")));
    this.procname = text(kind.context("procname"));
    this.cpu = integer(kind.find("perf_cpu"));
    this.address = integer(kind.find("addr"));
    this.begin = integer(kind.find("baddr"));
    this.size = integer(first(kind.find("memsz"), kind.find("size")));
    this.path = text(first(kind.find("path"), kind.find("sopath")));
    this.relative = integer(kind.find("is_pic"));
    this.meaning = meaning();
    List<Leaf> shown = new ArrayList<>(kind.fields());
    for (Leaf leaf : kind.contexts()) {
      if (!OF_TRACK.contains(leaf.name())) {
        shown.add(leaf);
      }
    }
    this.leaves = shown.toArray(Leaf[]::new);
    for (Leaf leaf : leaves) {
      fields.add(Fields.of(type(leaf), leaf.name()));
    }
  }

  private static String shortened(String text) {
    String plain = text.isEmpty() ? "event" : text;
    return plain.length() <= LONGEST_NAME ? plain : plain.substring(0, LONGEST_NAME);
  }

  private static @Nullable Leaf first(@Nullable Leaf... leaves) {
    for (Leaf leaf : leaves) {
      if (leaf != null) {
        return leaf;
      }
    }
    return null;
  }

  private static @Nullable Leaf integer(@Nullable Leaf leaf) {
    return leaf != null && leaf.kind() == Leaf.Kind.INTEGER ? leaf : null;
  }

  private static @Nullable Leaf text(@Nullable Leaf leaf) {
    return leaf != null && leaf.kind() == Leaf.Kind.TEXT ? leaf : null;
  }

  private Meaning meaning() {
    if (subsystem.startsWith("lttng_ust_cyg_profile")) {
      if (name.equals("func_entry") && address != null) {
        return Meaning.CALL;
      }
      return name.equals("func_exit") ? Meaning.RETURN : Meaning.EVENT;
    }
    if (subsystem.startsWith("lttng_ust_") && begin != null && size != null && path != null) {
      return Meaning.MAPPED;
    }
    return subsystem.equals("lttng_ust_statedump") && name.equals("procname")
        ? Meaning.NAME
        : Meaning.EVENT;
  }

  private static FieldType type(Leaf leaf) {
    return switch (leaf.kind()) {
      case INTEGER -> {
        if (leaf.labels() != null) {
          yield FieldType.STR;
        }
        int bits = leaf.bits();
        boolean signed = leaf.signed();
        if (bits <= 8) {
          yield signed ? FieldType.I8 : FieldType.U8;
        }
        if (bits <= 16) {
          yield signed ? FieldType.I16 : FieldType.U16;
        }
        if (bits <= 32) {
          yield signed ? FieldType.I32 : FieldType.U32;
        }
        yield signed ? FieldType.I64 : FieldType.U64;
      }
      case FLOAT -> leaf.bits() <= 32 ? FieldType.F32 : FieldType.F64;
      case TEXT, WRITTEN -> FieldType.STR;
      case BYTES -> FieldType.BYTES;
    };
  }
}
