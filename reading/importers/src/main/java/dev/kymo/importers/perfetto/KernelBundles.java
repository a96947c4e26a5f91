package dev.kymo.importers.perfetto;

import dev.kymo.importers.linux.KnownLayouts;
import dev.kymo.importers.linux.MadeLayout;
import dev.kymo.importers.linux.Markers;
import dev.kymo.importers.perfetto.wire.Message;
import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Events of the kernel, which come by processor. */
final class KernelBundles {
  private static final int PRINT = 3;

  /** The kernel's names of the kinds that are read, by the number of their field. */
  private static final Map<Integer, String> NAMES =
      Map.of(
          4, "sched_switch",
          17, "sched_wakeup",
          20, "sched_waking",
          24, "softirq_entry",
          25, "softirq_exit",
          26, "softirq_raise",
          36, "irq_handler_entry",
          37, "irq_handler_exit",
          114, "sched_wakeup_new");

  private final Target target;
  private final Survey survey;
  private final Markers markers;
  private final Map<String, Integer> kinds = new HashMap<>();
  private final Map<String, MadeLayout> layouts = new HashMap<>();

  /** Thread that runs on each processor, as compact switches need it. */
  private final Map<Integer, Integer> running = new HashMap<>();

  KernelBundles(Target target, Survey survey) throws IOException {
    this.target = target;
    this.survey = survey;
    this.markers = new Markers(target);
    if (survey.processors() > 0) {
      for (Map.Entry<Integer, Integer> thread : survey.threads().entrySet()) {
        int tid = thread.getKey();
        kernel().present(tid, thread.getValue(), survey.thread(tid), false, 0);
      }
    }
  }

  private KernelTarget kernel() throws IOException {
    return target.kernel("Linux", Math.max(1, survey.processors()));
  }

  void take(Message bundle) throws IOException {
    int cpu = 0;
    List<Message> events = new ArrayList<>();
    List<Message> compact = new ArrayList<>();
    boolean lost = false;
    while (bundle.next()) {
      switch (bundle.field()) {
        case 1 -> cpu = (int) bundle.number();
        case 2 -> events.add(bundle.message());
        case 3 -> lost = bundle.number() != 0;
        case 4 -> compact.add(bundle.message());
        default -> {} // nothing that is kept
      }
    }
    for (Message event : events) {
      event(cpu, event, lost);
      lost = false;
    }
    for (Message switches : compact) {
      compact(cpu, switches);
    }
  }

  private void event(int cpu, Message event, boolean lost) throws IOException {
    long time = 0;
    int tid = 0;
    int kind = 0;
    Message fields = event;
    while (event.next()) {
      if (event.field() == 1) {
        time = event.number();
      } else if (event.field() == 2) {
        tid = (int) event.number();
      } else if (!event.isNumber()) {
        kind = event.field();
        fields = event.message();
      }
    }
    if (lost) {
      kernel().lose(cpu, time, 1);
    }
    String name = NAMES.get(kind);
    if (kind == PRINT) {
      print(cpu, time, tid, fields);
    } else if (name != null) {
      known(cpu, time, tid, name, fields);
    } else {
      String other = "event_" + kind;
      MadeLayout layout = layouts.get(other);
      if (layout == null) {
        layout = MadeLayout.of("ftrace", other).bytes("message").build();
        layouts.put(other, layout);
      }
      give(
          cpu,
          time,
          layout,
          layout.event(0, 0, tid, fields == event ? new byte[0] : fields.rest()));
    }
  }

  private void print(int cpu, long time, int tid, Message fields) throws IOException {
    String text = "";
    while (fields.next()) {
      text = fields.field() == 2 ? fields.text() : text;
    }
    Markers.Writer by = new Markers.Writer(cpu, tid, survey.processOf(tid), survey.thread(tid));
    target.tally().count("print", markers.text(time, by, text.strip()).toString());
  }

  /** Its fields have the order of the kernel's, numbered from 1. */
  private void known(int cpu, long time, int tid, String name, Message fields) throws IOException {
    MadeLayout layout = KnownLayouts.of(name).orElseThrow();
    Object[] values = new Object[layout.format().fields().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = isText(layout, i) ? "" : 0L;
    }
    while (fields.next()) {
      int i = fields.field() - 1;
      if (i < values.length) {
        values[i] =
            isText(layout, i)
                ? fields.isNumber() ? String.valueOf(fields.number()) : fields.text()
                : fields.number();
      }
    }
    give(cpu, time, layout, layout.event(0, 0, tid, values));
  }

  private static boolean isText(MadeLayout layout, int field) {
    return switch (layout.format().fields().get(field).kind()) {
      case TEXT, DYNAMIC_TEXT -> true;
      default -> false;
    };
  }

  private void give(int cpu, long time, MadeLayout layout, byte[] event) throws IOException {
    String name = layout.format().name();
    Integer kind = kinds.get(name);
    if (kind == null) {
      kind = kernel().kind(layout.format());
      kinds.put(name, kind);
    }
    kernel().event(cpu, time, kind, event);
    target.tally().count(name, "events of the kernel");
  }

  /** Switches and wakings as columns: differences of times, states, threads, numbers of names. */
  private void compact(int cpu, Message switches) throws IOException {
    List<List<Long>> columns = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      columns.add(new ArrayList<>());
    }
    List<String> names = new ArrayList<>();
    while (switches.next()) {
      int field = switches.field();
      if (field == 5) {
        names.add(switches.text());
      } else if (field < columns.size()) {
        switches.numbers(false, columns.get(field)::add);
      }
    }
    long time = 0;
    for (int i = 0; i < columns.get(1).size(); i++) {
      time += columns.get(1).get(i);
      int next = (int) at(columns.get(3), i);
      int previous = running.getOrDefault(cpu, 0);
      Object[] values = {
        survey.thread(previous),
        previous,
        0,
        at(columns.get(2), i),
        name(names, columns.get(6), i),
        next,
        at(columns.get(4), i)
      };
      MadeLayout layout = KnownLayouts.of("sched_switch").orElseThrow();
      give(cpu, time, layout, layout.event(0, 0, previous, values));
      running.put(cpu, next);
    }
    wakings(cpu, columns, names);
  }

  private void wakings(int cpu, List<List<Long>> columns, List<String> names) throws IOException {
    long time = 0;
    MadeLayout layout = KnownLayouts.of("sched_waking").orElseThrow();
    for (int i = 0; i < columns.get(7).size(); i++) {
      time += columns.get(7).get(i);
      Object[] values = {
        name(names, columns.get(11), i),
        at(columns.get(8), i),
        at(columns.get(10), i),
        1,
        at(columns.get(9), i)
      };
      give(cpu, time, layout, layout.event(0, 0, 0, values));
    }
  }

  private static long at(List<Long> column, int i) {
    return i < column.size() ? column.get(i) : 0;
  }

  private static String name(List<String> names, List<Long> column, int i) {
    long index = at(column, i);
    return index >= 0 && index < names.size() ? names.get((int) index) : "";
  }
}
