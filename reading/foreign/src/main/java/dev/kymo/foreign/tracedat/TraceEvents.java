package dev.kymo.foreign.tracedat;

import dev.kymo.foreign.ftracetext.FtraceTextFormat;
import dev.kymo.foreign.linux.FunctionCalls;
import dev.kymo.foreign.linux.MadeLayout;
import dev.kymo.foreign.linux.Markers;
import dev.kymo.foreign.target.KernelTarget;
import dev.kymo.foreign.target.Progress;
import dev.kymo.foreign.target.Target;
import dev.kymo.foreign.tracedat.file.TraceFile;
import dev.kymo.foreign.tracedat.file.TraceMetadata;
import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives the events of a trace.dat to a recording: each as it is, as calls, or as a text. */
final class TraceEvents {
  private static final String KERNEL_EVENTS = "events of the kernel";
  private static final int EVERY = 1 << 14;
  private static final int MOST_KINDS = 0xFFF0;

  /** More than any event of the kernel has. */
  private static final int MOST_BYTES = 0xFFFF;

  private static final Pattern MISSED = Pattern.compile("(overrun|dropped events): (\\d{1,18})");

  private final TraceFile trace;
  private final TraceMetadata data;
  private final Target target;
  private final KernelTarget kernel;
  private final Markers markers;
  private final FunctionCalls functions;
  private final Symbols symbols;
  private final PrintTexts texts;
  private final Map<Integer, FileKind> formats = new HashMap<>();
  private final @Nullable Kind[][] kinds;
  private final int[] owner = new int[1 << 16];
  private final List<Kind> all = new ArrayList<>();

  /** A kind of events in one buffer. */
  private static final class Kind {
    final String name;
    final @Nullable FileKind format;
    final @Nullable MadeLayout made;
    final int number;
    final String special;
    String became = KERNEL_EVENTS;
    long count;

    Kind(
        String name,
        @Nullable FileKind format,
        @Nullable MadeLayout made,
        int number,
        String special) {
      this.name = name;
      this.format = format;
      this.made = made;
      this.number = number;
      this.special = special;
    }
  }

  TraceEvents(TraceFile trace, Target target) throws IOException {
    this.trace = trace;
    this.data = trace.data();
    this.target = target;
    this.kernel = target.kernel("Linux", data.processors());
    this.markers = new Markers(target);
    this.functions = new FunctionCalls(target);
    this.symbols = Symbols.parse(data.symbols());
    this.texts = new PrintTexts(data.printk(), symbols, data.longSize());
    this.kinds = new Kind[data.buffers().size()][];
    for (TraceMetadata.Format format : data.formats()) {
      try {
        FileKind kind = FileKind.parse(format.subsystem(), format.text(), data.isBigEndian());
        formats.put(kind.id, kind);
      } catch (IllegalArgumentException e) {
        target
            .troubles()
            .count("formats of events that are not readable", String.valueOf(e.getMessage()));
      }
    }
  }

  void convert(Progress progress) throws IOException {
    long size = trace.size();
    for (Map.Entry<Integer, String> thread : data.names().entrySet()) {
      kernel.present(thread.getKey(), 0, thread.getValue(), false, trace.first());
    }
    long count = 0;
    while (trace.next()) {
      if ((++count & (EVERY - 1)) == 0) {
        progress.at(trace.done(), size);
        damaged();
      }
      event();
    }
    damaged();
    for (Kind kind : all) {
      if (kind.count > 0) {
        target.tally().count(kind.name, kind.became, kind.count);
      }
    }
    for (InputStream text : trace.texts()) {
      FtraceTextFormat.lines(text, target, data.processors());
    }
    say();
    progress.at(size, size);
  }

  private void damaged() {
    trace.damaged((cpu, offset) ->
        target
            .troubles()
            .count(
                "pages end with bytes that are no events; what came after them is missing",
                "cpu=%d offset=%d".formatted(cpu, offset)));
  }

  private void say() throws IOException {
    if (!data.fact("clock").isEmpty()) {
      target.notice("clock of the kernel's trace: " + data.fact("clock"));
    }
    if (!data.fact("guest").isEmpty()) {
      target.notice("file of a virtual machine: " + data.fact("guest"));
    }
    long missed = 0;
    for (String statistics : data.statistics()) {
      Matcher matcher = MISSED.matcher(statistics);
      while (matcher.find()) {
        missed += Long.parseLong(matcher.group(2));
      }
    }
    if (missed > 0) {
      target.notice("the kernel lost events while it recorded: events=" + missed);
    }
  }

  private void event() throws IOException {
    int cpu = trace.cpu();
    long clock = trace.clock();
    byte[] bytes = trace.bytes();
    int at = trace.offset();
    int size = Math.min(trace.length(), MOST_BYTES);
    if (trace.lost() != 0) {
      lost(cpu, clock, trace.lost());
    }
    int id = size < 2 ? 0 : (int) FileKind.number(bytes, at, 2, data.isBigEndian());
    Kind kind = kind(id);
    kind.count++;
    if (kind.special.isEmpty()) {
      kernel.event(cpu, clock, kind.number, bytes(kind, bytes, at, size));
    } else {
      special(kind, cpu, clock, bytes, at, size);
    }
  }

  private void lost(int cpu, long clock, long count) throws IOException {
    if (count < 0) {
      target.troubles().count("events are missing, the file does not say how many", "cpu=" + cpu);
    }
    kernel.lose(cpu, clock, Math.max(1, count));
    functions.forget(clock);
  }

  private byte[] bytes(Kind kind, byte[] bytes, int at, int size) {
    FileKind format = kind.format;
    if (format != null) {
      return format.bytes(bytes, at, size);
    }
    MadeLayout made = kind.made;
    byte[] copy = Arrays.copyOfRange(bytes, at, at + size);
    return made == null ? copy : made.event(0, 0, tid(bytes, at, size), (Object) copy);
  }

  private int tid(byte[] bytes, int at, int size) {
    return size < 8 ? 0 : (int) FileKind.number(bytes, at + 4, 4, data.isBigEndian());
  }

  private Kind kind(int id) throws IOException {
    int buffer = trace.buffer();
    @Nullable Kind[] known = kinds[buffer];
    if (known == null) {
      known = new Kind[1 << 16];
      kinds[buffer] = known;
    }
    Kind kind = known[id];
    if (kind == null) {
      kind = make(id, buffer);
      known[id] = kind;
    }
    return kind;
  }

  private Kind make(int id, int buffer) throws IOException {
    FileKind format = formats.get(id);
    String prefix =
        owner[id] != 0 && owner[id] != buffer + 1 ? data.buffers().get(buffer) + "/" : "";
    owner[id] = owner[id] == 0 ? buffer + 1 : owner[id];
    Kind kind;
    if (format == null || all.size() > MOST_KINDS) {
      MadeLayout made = MadeLayout.of(prefix + "unknown", "event_" + id).bytes("data").build();
      kind = new Kind("unknown:event_" + id, null, made, kernel.kind(made.format()), "");
    } else {
      String special = format.subsystem.equals("ftrace") ? special(format) : "";
      KernelEventFormat named =
          prefix.isEmpty()
              ? format.format
              : KernelEventFormat.parse(prefix + format.subsystem, format.format.text());
      int number = special.isEmpty() ? kernel.kind(named) : -1;
      kind = new Kind(named.toString(), format, null, number, special);
    }
    all.add(kind);
    return kind;
  }

  /** The name of a kind that does not stay as it is; else empty. */
  private static String special(FileKind format) {
    return switch (format.name) {
      case "print", "bprint", "bputs", "function", "funcgraph_entry", "funcgraph_exit" ->
          format.name;
      default -> "";
    };
  }

  private void special(Kind kind, int cpu, long clock, byte[] bytes, int at, int size)
      throws IOException {
    FileKind format = kind.format;
    if (format == null) {
      return;
    }
    int tid = tid(bytes, at, size);
    String name = tid == 0 ? "idle" : data.names().getOrDefault(tid, "thread " + tid);
    String function = symbols.name(format.number("func", bytes, at, size));
    int depth = (int) format.number("depth", bytes, at, size);
    switch (kind.special) {
      case "funcgraph_entry" -> functions.enter(cpu, clock, tid, name, function, depth);
      case "funcgraph_exit" -> functions.leave(cpu, clock, tid, name, function, depth);
      case "function" ->
          functions.called(
              cpu,
              clock,
              tid,
              name,
              symbols.name(format.number("ip", bytes, at, size)),
              symbols.name(format.number("parent_ip", bytes, at, size)));
      default -> {
        Markers.Became became =
            markers.text(
                clock,
                new Markers.Writer(cpu, tid, 0, name),
                text(kind.special, format, bytes, at, size));
        target.tally().count(kind.name, became.toString());
        kind.count = 0;
        return;
      }
    }
    kind.became = "calls";
  }

  private String text(String kind, FileKind format, byte[] bytes, int at, int size) {
    return switch (kind) {
      case "bputs" -> texts.at(format.number("str", bytes, at, size));
      case "bprint" ->
          texts.filled(
              format.number("fmt", bytes, at, size),
              bytes,
              at + Math.clamp(format.offset("buf"), 0, size),
              at + size,
              data.isBigEndian());
      default -> {
        int from = at + Math.clamp(format.offset("buf"), 0, size);
        int end = from;
        while (end < at + size && bytes[end] != 0) {
          end++;
        }
        yield new String(bytes, from, end - from, StandardCharsets.UTF_8);
      }
    };
  }
}
