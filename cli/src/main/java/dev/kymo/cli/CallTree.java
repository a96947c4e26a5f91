package dev.kymo.cli;

import dev.kymo.model.CallPass;
import dev.kymo.model.CallSink;
import dev.kymo.model.NanoClock;
import dev.kymo.model.ThreadCalls;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls as indented text. A call without calls inside is one line; whether it is one is known only
 * when the thread's next event comes, so lines wait in a queue until the ones before them are
 * known.
 */
final class CallTree implements CallSink {
  private static final int MAX_WAITING = 4096;
  private static final int MAX_INDENT = 100;

  private final Terminal terminal;
  private final CallPass pass;
  private final NanoClock begins;
  private final NanoClock ends;
  private final long from;
  private final long to;
  private final boolean merged;
  private final Deque<Line> waiting = new ArrayDeque<>();
  private final Map<ThreadCalls, Line> last = new HashMap<>();

  /** A line, or, as long as nobody knows whether it is all of a call, half of one. */
  private static final class Line {
    final ThreadCalls thread;
    final long time;
    String call;
    final int depth;
    String duration = "";
    boolean known;
    boolean whole;

    Line(ThreadCalls thread, long time, int depth, String call) {
      this.thread = thread;
      this.time = time;
      this.depth = depth;
      this.call = call;
    }
  }

  CallTree(Terminal terminal, CallPass pass, long from, long to, boolean merged) {
    this.terminal = terminal;
    this.pass = pass;
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
    this.from = from;
    this.to = to;
    this.merged = merged;
  }

  /** A thread begins; everything until the next one is its. */
  void thread(ThreadCalls thread) {
    flush();
    last.clear();
    terminal.line(
        "# process %d, thread %d \"%s\""
            .formatted(thread.process(), thread.thread(), thread.definition().name()));
  }

  @Override
  public void enter(ThreadCalls thread, int depth, int method, long clock) {
    long time = begins.nanos(clock);
    open(thread);
    if (time >= from && time <= to) {
      Line line = new Line(thread, time, depth, name(method) + "()");
      waiting.add(line);
      last.put(thread, line);
      drain();
    }
  }

  /** What waits of this thread is a call with something inside. */
  private void open(ThreadCalls thread) {
    Line line = last.remove(thread);
    if (line != null) {
      line.known = true;
    }
  }

  @Override
  public void call(
      ThreadCalls thread,
      int depth,
      int method,
      long begin,
      long end,
      long childTime,
      long children,
      int flags) {
    long time = ends.nanos(end);
    boolean inside = time >= from && time <= to;
    Line line = last.get(thread);
    String duration = Nanos.text(time - begins.nanos(begin));
    if (line != null && inside && !line.known && line.depth == depth && children == 0) {
      line.duration = duration;
      line.whole = true;
      line.call += ";" + words(flags);
      line.known = true;
    } else if (inside) {
      Line close = new Line(thread, time, depth, "} " + name(method) + words(flags));
      close.duration = duration;
      close.whole = true;
      open(thread);
      waiting.add(close);
      close.known = true;
    }
    last.remove(thread);
    drain();
  }

  @Override
  public void gap(ThreadCalls thread, long gapFrom, long gapTo, long lost) {
    open(thread);
    long time = ends.nanos(gapTo);
    if (time >= from && time <= to) {
      String count = lost < 0 ? "events" : lost + " events";
      Line line = new Line(thread, time, 0, "-- %s lost --".formatted(count));
      line.known = true;
      line.whole = true;
      waiting.add(line);
      drain();
    }
  }

  /** Writes what waits, complete or not. */
  void flush() {
    waiting.forEach(line -> line.known = true);
    drain();
  }

  private void drain() {
    while (!waiting.isEmpty() && (waiting.peek().known || waiting.size() > MAX_WAITING)) {
      Line line = waiting.remove();
      line.known = true;
      write(line);
    }
  }

  private void write(Line line) {
    String who =
        merged
            ? "%-20s ".formatted(line.thread.definition().name() + "/" + line.thread.thread())
            : "";
    String indent = "  ".repeat(Math.min(line.depth, MAX_INDENT));
    String rest = line.whole ? line.call : line.call + " {";
    terminal.line(
        "%s  %10s  %s%s%s".formatted(Nanos.seconds(line.time), line.duration, who, indent, rest));
  }

  private String name(int method) {
    return pass.definitions().methods().get(method).qualifiedName();
  }

  private static String words(int flags) {
    List<String> words = CallLines.flags(flags);
    return words.isEmpty() ? "" : " [" + String.join(", ", words) + "]";
  }
}
