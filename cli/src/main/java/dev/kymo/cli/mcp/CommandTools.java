package dev.kymo.cli.mcp;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.query.CheckCommand;
import dev.kymo.cli.query.WhyCommand;
import dev.kymo.cli.report.InfoCommand;
import dev.kymo.cli.report.ReportCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The tools that are commands as well: they say what the commands say. */
final class CommandTools {
  private static final String SHORTER = "ask for a part with from, to, thread, filter or limit";

  private CommandTools() {}

  static final class FactsTool implements Tool {
    @Override
    public String name() {
      return "facts";
    }

    @Override
    public String description() {
      return "What is in the recording: program, processes, threads, duration, how much of what was"
          + " recorded and how, what was lost. Ask this first.";
    }

    @Override
    public List<Argument> arguments() {
      return List.of();
    }

    @Override
    public Answer answer(OpenRecording recording, Given given, Progress progress) {
      return Written.of(
          InfoCommand::new,
          List.of(recording.path().toString()),
          "'query' with tables threads and facts has the rest",
          progress);
    }
  }

  static final class ReportTool implements Tool {
    private static final Set<String> KINDS =
        Set.of(
            "calls",
            "waits",
            "locks",
            "threads",
            "events",
            "jvm",
            "kernel",
            "cpus",
            "samples",
            "instructions");

    @Override
    public String name() {
      return "report";
    }

    @Override
    public String description() {
      return "A table of costs, the largest first. about=calls: each method's number of calls, total"
          + " and self time, percentiles, and the longest call's id for 'why'; waits: what threads"
          + " waited for; locks: contention, longest waits, possible deadlocks; threads: how long"
          + " each thread ran and did not, from kernel events; events: the program's own events,"
          + " counters, messages.";
    }

    @Override
    public List<Argument> arguments() {
      return List.of(
          Argument.text("about", "one of " + KINDS.stream().sorted().toList() + "; default: calls"),
          Argument.text("filter", "only names that contain this regular expression"),
          Argument.text("thread", "only this thread: name (* stands for anything) or number"),
          Argument.text(
              "from", "begin of the time, since the recording's begin: 1.5s, 200ms, 10us"),
          Argument.text("to", "end of the time"),
          Argument.text("sort", "of calls: calls, total, self, avg, p50, p99, max or name"),
          Argument.number("limit", "rows at most; default: 30"));
    }

    @Override
    public Answer answer(OpenRecording recording, Given given, Progress progress) {
      String about = given.text("about").orElse("calls");
      if (!KINDS.contains(about)) {
        throw new MistakeException("no such report: about=%s; one of %s".formatted(about, KINDS));
      }
      List<String> words = new ArrayList<>();
      if (!about.equals("calls")) {
        words.add("--" + about);
      }
      // The command would take a name with this end for a script's.
      given
          .text("filter")
          .map(filter -> filter.endsWith(FilterOption.ENDING) ? "(?:" + filter + ")" : filter)
          .ifPresent(filter -> words.add("--filter=" + filter));
      for (String option : List.of("thread", "from", "to", "sort")) {
        given.text(option).ifPresent(value -> words.add("--%s=%s".formatted(option, value)));
      }
      words.add("--limit=" + given.number("limit", 30, 1, 1000));
      words.add(recording.path().toString());
      return Written.of(ReportCommand::new, words, SHORTER, progress);
    }
  }

  static final class WhyTool implements Tool {
    @Override
    public String name() {
      return "why";
    }

    @Override
    public String description() {
      return "What the time of one call went to: running, waiting for a processor, blocked or waiting"
          + " (for what, and who ended it), what it called; compared with other calls of the method."
          + " path=true: its critical path instead, across threads: what decided when it ended.";
    }

    @Override
    public List<Argument> arguments() {
      return List.of(
          new Argument(
              "call",
              "string",
              true,
              "PROCESS/THREAD:DEPTH@BEGIN, such as 1/12:3@0.350000000, as 'report' and 'find' name"
                  + " calls; without :DEPTH the call that begins or runs there"),
          new Argument("path", "boolean", false, "the critical path"));
    }

    @Override
    public Answer answer(OpenRecording recording, Given given, Progress progress) {
      List<String> words = new ArrayList<>();
      if (given.isSet("path")) {
        words.add("--path");
      }
      words.add("--"); // what follows is no option
      words.add(recording.path().toString());
      words.add(given.text("call").orElse(""));
      return Written.of(WhyCommand::new, words, "there is no shorter one", progress);
    }
  }

  static final class CheckTool implements Tool {
    @Override
    public String name() {
      return "check";
    }

    @Override
    public String description() {
      return "Whether the recording keeps rules, one a line: no loss; no deadlock; no wait over 50 ms;"
          + " no wait for monitor over 10 ms in thread 'http-*'; no call of a.B.c over 20 ms; no event"
          + " shop.ORDER with total > 1000; calls of a.B.c below 1000; p99 of a.B.c below 5 ms. Each"
          + " violation has its place.";
    }

    @Override
    public List<Argument> arguments() {
      return List.of(
          new Argument("rules", "string", true, "the rules"),
          Argument.number("places", "places of a violation at most; default: 5"));
    }

    @Override
    public Answer answer(OpenRecording recording, Given given, Progress progress) {
      return Written.of(
          CheckCommand::new,
          List.of(
              recording.path().toString(),
              "--rule=" + given.text("rules").orElse(""),
              "--places=" + given.number("places", 5, 0, 100)),
          "ask for fewer places",
          progress);
    }
  }
}
