package dev.kymo.importers.uftrace;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import dev.kymo.importers.uftrace.data.Argument;
import dev.kymo.importers.uftrace.data.TaskRecords;
import dev.kymo.importers.uftrace.data.UftraceEventNames;
import dev.kymo.importers.uftrace.data.UftraceFunctions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes the calls and events of one task. */
final class TaskImport {
  private static final String ARGUMENTS = "arguments";
  private static final String RESULT = "returned";

  private final Target target;
  private final TargetTrack track;
  private final int pid;
  private final UftraceFunctions functions;
  private final UftraceEventNames names;
  private final String file;

  /** Functions of the open calls, with their depths as the records have them. */
  private int[] open = new int[64];

  private int[] depths = new int[64];
  private int size;

  TaskImport(
      Target target,
      TargetTrack track,
      int pid,
      UftraceFunctions functions,
      UftraceEventNames names,
      String file) {
    this.target = target;
    this.track = track;
    this.pid = pid;
    this.functions = functions;
    this.names = names;
    this.file = file;
  }

  /** Writes a record; false if what follows it cannot be found. */
  boolean put(TaskRecords record) throws IOException {
    switch (record.type()) {
      case ENTRY -> {
        return entry(record);
      }
      case EXIT -> {
        return exit(record);
      }
      case LOST -> track.lose(record.time(), record.address());
      case EVENT -> event(record);
    }
    return true;
  }

  private boolean entry(TaskRecords record) throws IOException {
    target.tally().count("entry", "calls");
    UftraceFunctions.Function function = functions.at(pid, record.time(), record.address());
    while (size > 0 && depths[size - 1] >= record.depth()) { // its exit was not recorded
      track.leave(record.time(), open[--size]);
    }
    int number = number(function);
    push(number, record.depth());
    track.enter(record.time(), number);
    return !record.hasMore() || values(record, function, function.arguments(), ARGUMENTS);
  }

  private boolean exit(TaskRecords record) throws IOException {
    target.tally().count("exit", "ends of calls");
    UftraceFunctions.Function function = functions.at(pid, record.time(), record.address());
    while (size > 0 && depths[size - 1] > record.depth()) {
      track.leave(record.time(), open[--size]);
    }
    boolean known = true;
    if (record.hasMore()) {
      known = values(record, function, function.results(), RESULT);
    }
    if (size > 0 && depths[size - 1] == record.depth()) {
      track.leave(record.time(), open[--size]);
    } else {
      track.leave(record.time(), number(function));
    }
    return known;
  }

  private void push(int function, int depth) {
    if (size == open.length) {
      open = Arrays.copyOf(open, size * 2);
      depths = Arrays.copyOf(depths, size * 2);
    }
    open[size] = function;
    depths[size++] = depth;
  }

  private int number(UftraceFunctions.Function function) throws IOException {
    if (!function.known()) {
      target.troubles().count("functions have no name", "address=" + function.name());
    }
    String module = function.module().substring(function.module().lastIndexOf('/') + 1);
    String source = function.file().isEmpty() ? function.build() : function.file();
    return track
        .process()
        .function(
            module.isEmpty()
                ? TargetProcess.Code.UNKNOWN
                : new TargetProcess.Code(module, function.module(), source),
            function.name(),
            "",
            function.line());
  }

  private boolean values(
      TaskRecords record,
      UftraceFunctions.Function function,
      List<Argument> arguments,
      String subsystem)
      throws IOException {
    if (arguments.isEmpty()) {
      int skipped = record.skipUnknown();
      target
          .troubles()
          .count(
              "values whose layout is not known were left out",
              "file=%s offset=%d function=%s".formatted(file, record.offset(), function.name()));
      return skipped >= 0;
    }
    List<Object> values = record.values(arguments);
    List<EventFields.Field> fields = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      fields.add(Fields.of(type(arguments.get(i), values.get(i)), arguments.get(i).name()));
    }
    TargetEvent event =
        track.process().event(subsystem, function.name(), EventKind.INSTANT, fields);
    track.event(record.time(), event, values.toArray());
    return true;
  }

  private static FieldType type(Argument argument, Object value) {
    if (value instanceof Double) {
      return FieldType.F64;
    }
    boolean signed = "die".indexOf(argument.format()) >= 0;
    return value instanceof Long ? (signed ? FieldType.I64 : FieldType.U64) : FieldType.STR;
  }

  private void event(TaskRecords record) throws IOException {
    target.tally().count("event", "events of their own");
    String name = names.name(record.address());
    List<Object> values = record.hasMore() ? record.data() : List.of();
    List<String> known = UftraceEventNames.fields(name);
    List<EventFields.Field> fields = new ArrayList<>();
    List<Object> shown = new ArrayList<>();
    for (int i = 0; i < values.size() && i < 16; i++) {
      fields.add(Fields.of(FieldType.I64, i < known.size() ? known.get(i) : "data" + i));
      shown.add(values.get(i));
    }
    int colon = name.indexOf(':');
    TargetEvent event =
        track
            .process()
            .event(name.substring(0, colon), name.substring(colon + 1), EventKind.INSTANT, fields);
    track.event(record.time(), event, shown.toArray());
  }
}
