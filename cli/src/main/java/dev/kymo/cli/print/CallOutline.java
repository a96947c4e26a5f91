package dev.kymo.cli.print;

import dev.kymo.analysis.cause.StateText;
import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.CallFlags;
import dev.kymo.cli.words.Modes;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls as indented text. A call without inner calls is one line, which is known only at the
 * thread's next event, so lines wait in a queue until the lines before them are known.
 */
final class CallOutline implements CallSink {
  private static final int MAX_WAITING = 4096;
  private static final int MAX_INDENT = 100;

  private final Terminal terminal;
  private final CallPass pass;
  private final NanoClock begins;
  private final NanoClock ends;
  private final long from;
  private final long to;
  private final boolean merged;
  private final StateText states;
  private List<ModeStep> steps;
  private int nextStep;
  private final Deque<Line> waiting = new ArrayDeque<>();
  private final Map<ThreadCalls, Line> last = new HashMap<>();

  /** A line for a whole call or, until that is known, for its begin. */
  private static final class Line {
    final @Nullable ThreadCalls thread;
    final long time;
    String call;
    final int depth;
    String duration = "";
    boolean known;
    boolean whole;

    Line(@Nullable ThreadCalls thread, long time, int depth, String call) {
      this.thread = thread;
      this.time = time;
      this.depth = depth;
      this.call = call;
    }
  }

  CallOutline(Terminal terminal, CallPass pass, long from, long to, boolean merged) {
    this.terminal = terminal;
    this.pass = pass;
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
    this.from = from;
    this.to = to;
    this.merged = merged;
    this.states = new StateText(pass.definitions());
    this.steps = merged ? pass.definitions().steps() : List.of();
  }

  /** Begins a thread; everything until the next thread belongs to it. */
  void thread(ThreadCalls thread) {
    end();
    last.clear();
    steps = stepsOf(thread);
    nextStep = 0;
    String what =
        switch (TrackKind.of(thread.definition())) {
          case CALLS -> "thread";
          case STATES -> "waits of thread, track";
          case JVM -> "virtual machine, track";
          case SCHEDULED -> "scheduling of thread, track";
          case CPU -> "processor, track";
        };
    terminal.line(
        "# process %d, %s %d \"%s\""
            .formatted(thread.process(), what, thread.thread(), ThreadNames.of(thread)));
    long counted = pass.countsOf(thread).calls(0);
    if (counted > 0) {
      terminal.line(
          "# %d of its calls were counted, not recorded one by one: they are not shown"
              .formatted(counted));
    }
  }

  /** What changed while the thread ran. */
  private List<ModeStep> stepsOf(ThreadCalls thread) {
    if (TrackKind.of(thread.definition()) != TrackKind.CALLS) {
      return List.of();
    }
    return pass.definitions().steps().stream()
        .filter(step ->
            step.process() == thread.process()
                && step.time() >= thread.first()
                && step.time() <= thread.last())
        .toList();
  }

  private void tellSteps(long clock) {
    while (nextStep < steps.size() && steps.get(nextStep).time() <= clock) {
      ModeStep step = steps.get(nextStep++);
      long time = begins.nanos(Math.max(step.time(), pass.base()));
      if (time >= from && time <= to) {
        Line line = new Line(null, time, 0, "-- " + Modes.text(pass, step) + " --");
        line.known = true;
        line.whole = true;
        waiting.add(line);
      }
    }
  }

  @Override
  public void enter(ThreadCalls thread, int depth, int method, long clock) {
    tellSteps(clock);
    long time = begins.nanos(clock);
    open(thread);
    if (time >= from && time <= to) {
      Line line = new Line(thread, time, depth, begun(thread, method));
      waiting.add(line);
      last.put(thread, line);
      drain();
    }
  }

  /** The waiting line of this thread is a call with inner calls. */
  private void open(ThreadCalls thread) {
    Line line = last.remove(thread);
    if (line != null) {
      line.known = true;
    }
  }

  @Override
  public void call(CallCursor call) {
    tellSteps(call.end());
    ThreadCalls thread = call.thread();
    int depth = call.depth();
    long time = ends.nanos(call.end());
    String state = isState(thread) ? states.of(call) : "";
    boolean inside = time >= from && time <= to;
    Line line = last.get(thread);
    String duration = Nanos.text(time - begins.nanos(call.begin()));
    if (line != null && inside && !line.known && line.depth == depth && call.children() == 0) {
      line.duration = duration;
      line.whole = true;
      line.call = (state.isEmpty() ? line.call + ";" : state) + words(call.flags());
      line.known = true;
    } else if (inside) {
      Line close =
          new Line(
              thread,
              time,
              depth,
              "} "
                  + (state.isEmpty() ? method(call.method()).qualifiedName() : state)
                  + words(call.flags()));
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

  void end() {
    tellSteps(Long.MAX_VALUE);
    flush();
  }

  /** Writes what waits, complete or not. */
  private void flush() {
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
    String who = merged ? "%-20s ".formatted(name(line.thread)) : "";
    String indent = "  ".repeat(Math.min(line.depth, MAX_INDENT));
    String rest = line.whole ? line.call : line.call + " {";
    terminal.line(
        "%s  %10s  %s%s%s".formatted(Nanos.seconds(line.time), line.duration, who, indent, rest));
  }

  private static String name(@Nullable ThreadCalls thread) {
    return thread == null ? "" : ThreadNames.numbered(thread.definition());
  }

  private static boolean isState(ThreadCalls thread) {
    return TrackKind.of(thread.definition()) != TrackKind.CALLS;
  }

  private String begun(ThreadCalls thread, int method) {
    return isState(thread) ? StateText.name(method(method)) : method(method).qualifiedName() + "()";
  }

  private TracedMethod method(int method) {
    return pass.definitions().methods().get(method);
  }

  private static String words(int flags) {
    List<String> words = CallFlags.words(flags);
    return words.isEmpty() ? "" : " [" + String.join(", ", words) + "]";
  }
}
