package dev.kymo.cli.diff;

import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.Gate;
import dev.kymo.analysis.difference.GateRule;
import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo diff}: where the time went between two runs. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how recordings of a program differ, and whether that is more than chance.",
      "Calls that there are more of, methods that take longer themselves, waits:",
      "  kymo diff old.kymo --with new.kymo",
      "  kymo diff old-1.kymo old-2.kymo old-3.kymo --with new-1.kymo new-2.kymo new-3.kymo"
    })
public final class DiffCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "BASE",
      description = "Recordings of the program as it was, or other tracers' files.")
  private List<Path> base;

  @Option(
      names = "--with",
      arity = "1..*",
      required = true,
      paramLabel = "NEW",
      description =
          "Recordings of the program as it is now. With three or more a side it is known how much"
              + " runs differ anyway.")
  private List<Path> with;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most so many differences (default: ${DEFAULT-VALUE}; 0 = all).")
  private int limit = 20;

  @Option(
      names = "--gate",
      paramLabel = "RULE",
      description =
          "End with exit code 3 if anything certainly takes longer than allowed: '5%%' for"
              + " everything, 'X.parse p99 +10%%' for a figure of one method: calls, self, mean,"
              + " p50, p90, p95, p99 or max; may be repeated.")
  private List<String> gates = List.of();

  @Option(names = "--json", description = "Write JSON; times are nanoseconds.")
  private boolean json;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.html",
      description =
          "Write a page that shows the differences, with flame graphs; it needs no other file.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Replace the page if it exists.")
  private boolean force;

  @Mixin private LogOptions logs;

  public DiffCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 0) {
      throw new UsageException("no such number of differences: limit=" + limit);
    }
    List<GateRule> rules = gates.stream().map(DiffCommand::rule).toList();
    try (OutputFile page = output == null ? null : OutputFile.begin(output, false, force)) {
      List<Recording> open = new ArrayList<>();
      try {
        return compare(rules, open, page);
      } finally {
        for (Recording recording : open) {
          recording.close();
        }
      }
    }
  }

  private static GateRule rule(String text) {
    return GateRule.of(text)
        .orElseThrow(() ->
            new UsageException(
                "not a rule such as '5%%' or 'X.parse p99 +10%%': gate=\"%s\"".formatted(text)));
  }

  private int compare(List<GateRule> rules, List<Recording> open, @Nullable OutputFile page)
      throws IOException {
    List<CallPass> before = open(base, open);
    List<CallPass> after = open(with, open);
    Difference difference =
        Difference.of(
            before,
            after,
            name -> rules.stream().anyMatch(rule -> rule.matches(name)),
            terminal.progress("reading"));
    Gate gate = Gate.of(difference, rules);
    if (!gate.unmet().isEmpty()) {
      throw new UsageException(
          "none of the recordings has such a method: gate=\"%s\""
              .formatted(gate.unmet().getFirst()));
    }
    Compared compared = new Compared(difference, base, with, rules, gate);
    if (json) {
      DiffJson.write(terminal, compared, limit);
    } else {
      new DiffText(terminal, compared, limit).write();
    }
    if (page != null) {
      DiffJson.page(compared, page.unfinished());
      page.finish();
    }
    return gate.broken().isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private List<CallPass> open(List<Path> paths, List<Recording> open) throws IOException {
    List<CallPass> passes = new ArrayList<>();
    for (Path path : paths) {
      Recording recording = Recording.open(RecordingArgument.ready(path, logs, terminal));
      open.add(recording);
      CallPass pass = CallPass.open(recording);
      passes.add(pass);
      terminal.watch(path, pass::oddities);
    }
    return passes;
  }
}
