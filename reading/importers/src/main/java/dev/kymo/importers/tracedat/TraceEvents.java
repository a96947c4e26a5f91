package dev.kymo.importers.tracedat;

import dev.kymo.importers.ftracetext.FtraceTextFormat;
import dev.kymo.importers.linux.FormattedEvents;
import dev.kymo.importers.linux.metadata.FileKind;
import dev.kymo.importers.target.ImportProgress;
import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.tracedat.file.TraceFile;
import dev.kymo.importers.tracedat.file.TraceMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives the events of a trace.dat to a recording: each as it is, as calls, or as a text. */
final class TraceEvents {
  private static final int EVERY = 1 << 14;

  /** More than any event of the kernel has. */
  private static final int MOST_BYTES = 0xFFFF;

  private static final Pattern MISSED = Pattern.compile("(overrun|dropped events): (\\d{1,18})");

  private final TraceFile trace;
  private final TraceMetadata data;
  private final Target target;
  private final KernelTarget kernel;
  private final FormattedEvents events;
  private final FormattedEvents.@Nullable Kind[][] kinds;
  private final int[] owner = new int[1 << 16];

  TraceEvents(TraceFile trace, Target target) throws IOException {
    this.trace = trace;
    this.data = trace.data();
    this.target = target;
    this.kernel = target.kernel("Linux", data.processors());
    Map<Integer, String> names = data.kernel().names();
    this.events =
        new FormattedEvents(
            target,
            kernel,
            data.kernel(),
            tid -> tid == 0 ? "idle" : names.getOrDefault(tid, "thread " + tid));
    this.kinds = new FormattedEvents.Kind[data.buffers().size()][];
  }

  void convert(ImportProgress progress) throws IOException {
    long size = trace.size();
    for (Map.Entry<Integer, String> thread : data.kernel().names().entrySet()) {
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
    events.end();
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
    if (!data.fact("trace").isEmpty()) {
      target.notice("identifier of this trace: " + data.fact("trace"));
    }
    for (String guest : data.guests()) {
      target.notice(guest);
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
    int id = size < 2 ? 0 : (int) FileKind.number(bytes, at, 2, data.kernel().isBigEndian());
    events.take(kind(id), cpu, clock, bytes, at, size);
  }

  private void lost(int cpu, long clock, long count) throws IOException {
    if (count < 0) {
      target.troubles().count("events are missing, the file does not say how many", "cpu=" + cpu);
    }
    kernel.lose(cpu, clock, Math.max(1, count));
    events.forget(clock);
  }

  private FormattedEvents.Kind kind(int id) throws IOException {
    int buffer = trace.buffer();
    FormattedEvents.@Nullable Kind[] known = kinds[buffer];
    if (known == null) {
      known = new FormattedEvents.Kind[1 << 16];
      kinds[buffer] = known;
    }
    FormattedEvents.Kind kind = known[id];
    if (kind == null) {
      String prefix =
          owner[id] != 0 && owner[id] != buffer + 1 ? data.buffers().get(buffer) + "/" : "";
      owner[id] = owner[id] == 0 ? buffer + 1 : owner[id];
      kind = events.kind(id, prefix);
      known[id] = kind;
    }
    return kind;
  }
}
