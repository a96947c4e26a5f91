package dev.kymo.importers.ctf;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.ctf.stream.CtfEventKind;
import dev.kymo.importers.ctf.stream.CtfStream;
import dev.kymo.importers.ctf.stream.Leaf;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events of programs: they lie on the track of their thread, or of their processor or stream. */
final class UserEvents {
  private static final dev.kymo.format.EventKind INSTANT = dev.kymo.format.EventKind.INSTANT;
  private static final List<EventFields.Field> LOST = List.of(Fields.of(FieldType.U64, "count"));

  private final Processes processes;
  private final Target target;
  private final @Nullable Plan[] plans;

  /** Where the last event of each stream is. */
  private final Map<CtfStream, Processes.Row> last = new HashMap<>();

  UserEvents(Target target, int kinds) {
    this.target = target;
    this.processes = new Processes(target);
    this.plans = new Plan[kinds];
  }

  /** Takes an event; returns what it became. */
  String event(CtfStream in, CtfEventKind kind, long clock) throws IOException {
    Plan plan = plans[kind.number()];
    if (plan == null) {
      plan = new Plan(kind, tracer(in));
      plans[kind.number()] = plan;
    }
    Processes.Row row = row(in, plan);
    last.put(in, row);
    Leaf address = plan.address;
    switch (plan.meaning) {
      case CALL -> {
        if (address != null) {
          row.track.enter(clock, row.of.code.function(in.number(address.slot())));
        }
        return "calls";
      }
      case RETURN -> {
        if (address == null) {
          row.track.leave(clock);
        } else {
          row.track.leave(clock, row.of.code.function(in.number(address.slot())));
        }
        return "calls";
      }
      case MAPPED -> map(in, plan, row);
      case NAME -> row.of.named(procname(in, plan, kind));
      case EVENT -> {}
    }
    row.track.event(clock, target(plan, row), values(in, plan.leaves));
    return "events";
  }

  private static String tracer(CtfStream in) {
    String tracer = in.trace().classes().environment("tracer_name");
    return tracer.isEmpty() ? "ctf" : tracer;
  }

  private static void map(CtfStream in, Plan plan, Processes.Row row) {
    if (plan.begin != null && plan.size != null && plan.path != null) {
      boolean relative = plan.relative == null || in.number(plan.relative.slot()) != 0;
      long begin = in.number(plan.begin.slot());
      row.of.code.add(begin, in.number(plan.size.slot()), text(in, plan.path), relative);
    }
  }

  private static String procname(CtfStream in, Plan plan, CtfEventKind kind) {
    Leaf leaf = kind.fields().isEmpty() ? plan.procname : kind.fields().get(0);
    return leaf != null && leaf.kind() == Leaf.Kind.TEXT ? text(in, leaf) : "";
  }

  private static String text(CtfStream in, Leaf leaf) {
    return in.object(leaf.slot()) instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : "";
  }

  private Processes.Row row(CtfStream in, Plan plan) throws IOException {
    String procname = plan.procname == null ? "" : text(in, plan.procname);
    Leaf pid = plan.pid;
    Leaf tid = plan.tid;
    if (tid == null) {
      return processes.row(in, cpu(in, plan));
    }
    long thread = in.number(tid.slot());
    Processes.Known process = pid == null ? processes.of(in) : processes.of(in.number(pid.slot()));
    Processes.Row row = process.thread(thread, procname);
    row.named(procname);
    if (pid != null && (thread == in.number(pid.slot()) || !process.isNamed())) {
      process.named(procname);
    }
    return row;
  }

  private static @Nullable Long cpu(CtfStream in, Plan plan) {
    if (plan.cpu != null) {
      return in.number(plan.cpu.slot());
    }
    return in.cpu() < 0 ? null : Long.valueOf(in.cpu());
  }

  private static TargetEvent target(Plan plan, Processes.Row row) throws IOException {
    TargetEvent known = plan.events.get(row.of);
    if (known == null) {
      known = row.of.process.event(plan.subsystem, plan.name, INSTANT, plan.fields);
      plan.events.put(row.of, known);
    }
    return known;
  }

  private static Object[] values(CtfStream in, Leaf[] leaves) {
    Object[] values = new Object[leaves.length];
    for (int i = 0; i < values.length; i++) {
      Leaf leaf = leaves[i];
      values[i] =
          switch (leaf.kind()) {
            case INTEGER ->
                leaf.labels() == null
                    ? Long.valueOf(in.number(leaf.slot()))
                    : leaf.labels().text(in.number(leaf.slot()));
            case FLOAT -> Double.longBitsToDouble(in.number(leaf.slot()));
            case TEXT, BYTES, WRITTEN -> in.object(leaf.slot());
          };
    }
    return values;
  }

  void lose(CtfStream in, long clock, long count) throws IOException {
    Processes.Row row = last.get(in);
    if (row == null) {
      row = processes.row(in, in.cpu() < 0 ? null : Long.valueOf(in.cpu()));
      row.track.event(clock, row.of.process.event("ctf", "lost", INSTANT, LOST), count);
      last.put(in, row);
    }
    row.track.lose(clock, count);
    target
        .troubles()
        .count(
            "places where the tracer lost events", "file=%s time=%d".formatted(in.path(), clock));
  }
}
