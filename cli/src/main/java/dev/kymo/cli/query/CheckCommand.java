package dev.kymo.cli.query;

import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.SelectionOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.model.index.Scratch;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.rules.Judge;
import dev.kymo.query.rules.Rule;
import dev.kymo.query.rules.RuleException;
import dev.kymo.query.rules.RuleVerdict;
import dev.kymo.query.rules.Rules;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kymo check}: whether a recording keeps rules. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Checks whether recordings keep rules.",
      "No loss, no deadlock, no wait over 50 ms, p99 of shop.Clerk.serve below 5 ms, or questions"
          + " in SQL (docs/check.md). Exit code: 0 = all are kept, 3 = some are not, or it is not"
          + " known."
    })
public final class CheckCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "RECORDING... RULES",
      description =
          "Recordings, or other tracers' files, each checked by itself; and last a file with a"
              + " rule a line, unless there are --rule or --rules.")
  private List<Path> paths;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = "A rule, as a line of the file would be. May be repeated.")
  private List<String> given = new ArrayList<>();

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description = "A file with rules; then all arguments are recordings. May be repeated.")
  private List<Path> files = new ArrayList<>();

  @Option(names = "--json", description = "Write JSON; times are nanoseconds.")
  private boolean json;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Also write the result as JUnit's XML, which CI servers show.")
  private @Nullable Path junit;

  @Option(
      names = "--allow-unknown",
      description = "What cannot be judged, because the recording does not say enough, is right.")
  private boolean allowUnknown;

  @Option(
      names = "--places",
      paramLabel = "N",
      description = "Show at most so many places of a violation (default: ${DEFAULT-VALUE}).")
  private int places = 5;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      description = "Memory for questions, beside what reading takes (default: ${DEFAULT-VALUE}).")
  private long memory = Questions.Settings.MEGABYTES;

  @Mixin private SelectionOptions range;
  @Mixin private LogOptions logs;

  public CheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (places < 0 || places > 100_000) {
      throw new UsageException("no such number of places: places=" + places + "; use 0 to 100000");
    }
    List<Path> recordings = paths;
    List<Path> ruleFiles = new ArrayList<>(files);
    if (given.isEmpty() && files.isEmpty()) {
      if (paths.size() < 2) {
        throw new UsageException(
            "rules are missing: kymo check RECORDING FILE, or --rule \"no wait over 50 ms\"");
      }
      recordings = paths.subList(0, paths.size() - 1);
      ruleFiles.add(paths.getLast());
    }
    List<Rule> rules = new ArrayList<>();
    if (!readAll(ruleFiles, rules)) {
      return ExitCode.USAGE;
    }
    if (rules.isEmpty()) {
      throw new UsageException("there is no rule in " + ruleFiles.getFirst());
    }
    List<CheckedRule> checked = new ArrayList<>();
    for (Path recording : recordings) {
      check(recording, rules, checked);
    }
    new CheckOutput(terminal, checked, allowUnknown).write(json, junit);
    return exitCode(checked);
  }

  private boolean readAll(List<Path> ruleFiles, List<Rule> into) throws IOException {
    boolean right = true;
    for (Path file : ruleFiles) {
      if (!Files.isRegularFile(file)) {
        throw new UsageException("no such file with rules: path=" + file);
      }
      right &= read(file.toString(), Files.readString(file), into);
    }
    for (String rule : given) {
      right &= read("--rule", rule, into);
    }
    return right;
  }

  /** Mistakes stand one a line, in the format of compilers: editors find the places. */
  private boolean read(String name, String text, List<Rule> into) {
    try {
      into.addAll(Rules.parse(name, text));
      return true;
    } catch (RuleException e) {
      e.problems().forEach(terminal::warnPlainly);
      return false;
    }
  }

  private void check(Path path, List<Rule> rules, List<CheckedRule> into) throws IOException {
    ExportSource source = SelectedSource.open(path, range, logs, terminal);
    String name = source.pass().recording().name();
    Questions.Settings settings = new Questions.Settings(false, memory, Questions.May.CHANGE);
    try (Scratch scratch = Scratch.make("check")) {
      terminal.cleanup().add(scratch::close);
      try (Questions questions = Questions.open(Map.of(name, source), scratch.path(), settings)) {
        Judge judge = new Judge(source, questions, places, terminal.progress("reading"));
        for (Rule rule : rules) {
          into.add(new CheckedRule(path, name, rule, judge.judge(rule)));
        }
      }
    } catch (SQLException e) {
      throw new IOException(String.valueOf(e.getMessage()).strip(), e);
    } finally {
      source.close();
    }
  }

  /** What cannot be asked is a failure of the rules, not of the recording. */
  private int exitCode(List<CheckedRule> checked) {
    if (checked.stream().anyMatch(each -> each.is(RuleVerdict.Outcome.FAILED))) {
      return ExitCode.FAILED;
    }
    boolean findings =
        checked.stream()
            .anyMatch(each ->
                each.is(RuleVerdict.Outcome.VIOLATED)
                    || (!allowUnknown && each.is(RuleVerdict.Outcome.UNKNOWN)));
    return findings ? ExitCode.FINDINGS : ExitCode.OK;
  }
}
