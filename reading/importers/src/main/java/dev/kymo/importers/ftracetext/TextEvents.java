package dev.kymo.importers.ftracetext;

import dev.kymo.importers.ftracetext.lines.FieldTexts;
import dev.kymo.importers.ftracetext.lines.FieldTexts.FieldText;
import dev.kymo.importers.ftracetext.lines.FtraceLine;
import dev.kymo.importers.linux.FunctionCalls;
import dev.kymo.importers.linux.Markers;
import dev.kymo.importers.target.KernelTarget;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gives events of text to a recording, line by line. */
final class TextEvents {
  private static final Pattern LOST =
      Pattern.compile("\\s*CPU:\\s?(\\d{1,4}) \\[(?:LOST )?(\\d{1,15})? ?EVENTS(?: DROPPED)?]\\s*");
  private static final Pattern FUNCTION = Pattern.compile("([^\\s:]+) +<-(\\S+)");
  private static final Pattern SYSCALL = Pattern.compile("sys_(\\w+)\\((.*)\\)");
  private static final Pattern RETURN = Pattern.compile("sys_(\\w+) -> (\\S+)");
  private static final Pattern GRAPH = Pattern.compile("([^|]*)\\|( *)(.*)");
  private static final Pattern FUNC = Pattern.compile("func=(\\S+).*\\bdepth=(\\d{1,6}).*");
  private static final Pattern HEADER =
      Pattern.compile("\\s*|\\s*#.*|cpus=\\d+|version = \\d+|CPU \\d+ is empty|TRACE:");

  private final Target target;
  private final KernelTarget kernel;
  private final int cpus;
  private final TextKernel texts;
  private final Markers markers;
  private final FunctionCalls functions;
  private final Map<Integer, Deque<String>> graphs = new HashMap<>();
  private long last;

  TextEvents(Target target, int cpus) throws IOException {
    this.target = target;
    this.cpus = cpus;
    this.kernel = target.kernel("Linux", cpus);
    this.texts = new TextKernel(target, cpus);
    this.markers = new Markers(target);
    this.functions = new FunctionCalls(target);
  }

  /** Time of the last event. */
  long last() {
    return last;
  }

  void take(String text, long number, boolean cut) throws IOException {
    if (cut) {
      target.troubles().count("lines longer than 65536 bytes were cut", "line=" + number);
    }
    FtraceLine line = FtraceLine.parse(text);
    if (line != null && line.cpu() < cpus) {
      last = line.nanos();
      event(line);
    } else if (!lost(text) && !HEADER.matcher(text).matches()) {
      target.troubles().count("lines that are not events were left out", "line=" + number);
    }
  }

  private boolean lost(String text) throws IOException {
    if (!text.contains("EVENTS")) {
      return false;
    }
    Matcher matcher = LOST.matcher(text);
    if (!matcher.matches()) {
      return false;
    }
    int cpu = Integer.parseInt(matcher.group(1));
    String count = matcher.group(2);
    long missing = count == null ? 1 : Math.max(1, Long.parseLong(count));
    if (cpu < cpus) {
      kernel.lose(cpu, last, missing);
      functions.forget(last);
    }
    return true;
  }

  private void event(FtraceLine line) throws IOException {
    String event = line.event();
    String rest = line.rest();
    switch (event) {
      case "tracing_mark_write" -> mark(line, rest);
      case "print", "bprint" -> {
        int colon = rest.indexOf(": ");
        mark(line, colon < 0 ? rest : rest.substring(colon + 2));
      }
      case "funcgraph_entry", "funcgraph_exit" -> {
        if (!graph(line, event.equals("funcgraph_entry"))) {
          fields(line, event, rest);
        }
      }
      case "function" -> function(line, rest.replace("<--", "<-"));
      case "" -> nameless(line, rest);
      default -> fields(line, event, rest);
    }
  }

  private void mark(FtraceLine line, String text) throws IOException {
    Markers.Became became =
        markers.text(
            line.nanos(),
            new Markers.Writer(line.cpu(), line.tid(), line.tgid(), line.comm()),
            text);
    target.tally().count("print", became.toString());
  }

  /** A function, a system call, or a text that the kernel prints. */
  private void nameless(FtraceLine line, String text) throws IOException {
    Matcher call = SYSCALL.matcher(text);
    Matcher end = RETURN.matcher(text);
    if (call.matches()) {
      kernelEvent(
          line, "sys_enter_" + call.group(1), List.of(new FieldText("args", call.group(2))));
    } else if (end.matches()) {
      kernelEvent(line, "sys_exit_" + end.group(1), List.of(new FieldText("ret", end.group(2))));
    } else {
      function(line, text);
    }
  }

  private void function(FtraceLine line, String text) throws IOException {
    Matcher of = FUNCTION.matcher(text.strip());
    if (!of.matches()) {
      mark(line, text);
      return;
    }
    functions.called(line.cpu(), line.nanos(), line.tid(), line.comm(), of.group(1), of.group(2));
    target.tally().count("function", "calls");
  }

  private boolean graph(FtraceLine line, boolean entry) throws IOException {
    Matcher raw = FUNC.matcher(line.rest());
    if (raw.matches()) {
      call(line, entry, raw.group(1), Integer.parseInt(raw.group(2)));
      return true;
    }
    Matcher drawn = GRAPH.matcher(line.rest());
    if (!drawn.matches()) {
      return false;
    }
    String what = drawn.group(3).strip();
    int depth = drawn.group(2).length() / 2;
    Deque<String> open = graphs.computeIfAbsent(key(line), none -> new ArrayDeque<>());
    if (!entry) {
      String name = what.startsWith("} /*") ? what.substring(4).replace("*/", "").strip() : "";
      String function = open.isEmpty() ? name.isEmpty() ? "?" : name : open.pop();
      call(line, false, function, depth);
      return true;
    }
    int end = what.indexOf('(');
    String function = end < 0 ? what : what.substring(0, end);
    call(line, true, function, depth);
    if (what.endsWith("{")) {
      if (open.size() < 1_000) {
        open.push(function);
      }
    } else {
      leaf(line, function, depth, drawn.group(1));
    }
    return true;
  }

  private static int key(FtraceLine line) {
    return line.tid() > 0 ? line.tid() : -1 - line.cpu();
  }

  /** A function that calls none; its line says how long it took. */
  private void leaf(FtraceLine line, String function, int depth, String duration)
      throws IOException {
    Matcher micros = Pattern.compile("(\\d{1,9})\\.(\\d{3}) us").matcher(duration);
    long nanos =
        micros.find()
            ? Long.parseLong(micros.group(1)) * 1000 + Long.parseLong(micros.group(2))
            : 0;
    functions.leave(line.cpu(), line.nanos() + nanos, line.tid(), line.comm(), function, depth);
  }

  private void call(FtraceLine line, boolean entry, String function, int depth) throws IOException {
    if (entry) {
      functions.enter(line.cpu(), line.nanos(), line.tid(), line.comm(), function, depth);
    } else {
      functions.leave(line.cpu(), line.nanos(), line.tid(), line.comm(), function, depth);
    }
    target.tally().count(line.event(), "calls");
  }

  private void fields(FtraceLine line, String event, String rest) throws IOException {
    kernelEvent(line, event, FieldTexts.of(Renderings.kernels(event, rest)));
  }

  private void kernelEvent(FtraceLine line, String event, List<FieldText> fields)
      throws IOException {
    texts.event(
        new TextKernel.Where(line.cpu(), line.nanos(), line.tid(), line.flags()), event, fields);
  }
}
