package dev.kymo.importers.jfr;

import dev.kymo.format.Definition;
import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.jfr.reader.JfrField;
import dev.kymo.importers.jfr.reader.JfrType;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A chunk's type of events: where its time, thread and stack are, and what it becomes. */
final class EventType {
  private static final String STACK = "stackTrace";

  final JfrType type;
  final Kinds kind;
  final int start;
  final int duration;
  final int thread;
  final int stack;
  final Columns columns;
  final Secrets secrets;

  /** One; of counters one for each column. */
  final List<TargetEvent> events = new ArrayList<>();

  EventType(JfrType type, TargetProcess process) throws IOException {
    this.type = type;
    this.start = type.place("startTime");
    this.duration = type.place("duration");
    int sampled = type.place("sampledThread");
    this.thread = sampled >= 0 ? sampled : type.place("eventThread");
    this.stack = type.place(STACK);
    this.kind = Kinds.of(type, duration >= 0, stack >= 0);
    this.columns = new Columns(type, this::isColumn);
    this.secrets = new Secrets(type, columns.fields());
    define(process);
  }

  private boolean isColumn(String field) {
    boolean apart =
        field.equals("startTime")
            || field.equals(STACK)
            || (thread >= 0 && field.equals(type.fields().get(thread).name()));
    boolean end = kind == Kinds.SPAN || kind == Kinds.CALL;
    return !apart && !(end && field.equals("duration"));
  }

  private void define(TargetProcess process) throws IOException {
    String name = type.name();
    String group = name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "";
    List<EventFields.Field> fields = columns.fields();
    if (kind == Kinds.COUNTER) {
      for (EventFields.Field field : fields) {
        String counter = type.shortName() + "." + field.name();
        events.add(process.event(group, counter, EventKind.COUNTER, List.of(field)));
      }
      return;
    }
    List<EventFields.Field> all = new ArrayList<>();
    if (stack >= 0) {
      all.add(Fields.of(FieldType.U32, Definition.Stack.FIELD));
    }
    all.addAll(fields);
    EventKind of = kind == Kinds.SPAN ? EventKind.BEGIN : EventKind.INSTANT;
    events.add(
        kind == Kinds.SAMPLE
            ? process.event(Definition.Stack.SAMPLES, name, of, all)
            : process.event(group, type.shortName(), of, all));
  }

  /** Whether events have a stack, or say that there is none. */
  boolean hasStack() {
    return stack >= 0;
  }

  JfrField field(int place) {
    return type.fields().get(place);
  }
}
