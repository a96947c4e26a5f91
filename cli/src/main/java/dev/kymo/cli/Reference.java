package dev.kymo.cli;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.Clock;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.format.FormatVersion;
import dev.kymo.format.MetadataText;
import dev.kymo.format.SchedulerState;
import dev.kymo.format.WaitKind;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.Parameter;
import dev.kymo.query.library.ReadyQuestion;
import dev.kymo.reader.Recording;
import dev.kymo.tables.Column;
import dev.kymo.tables.Table;
import dev.kymo.tables.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes the pages of the site that nobody writes by hand, in Markdown: the commands with their
 * options, the tables that can be asked, and what readers of the format need.
 */
final class Reference {
  private final Path folder;
  private final List<String> lines = new ArrayList<>();

  Reference(Path folder) {
    this.folder = folder;
  }

  /** Writes all pages into the folder. */
  void write(CommandSpec program) throws IOException {
    Files.createDirectories(folder);
    commands(program);
    reports();
    tables();
    format();
  }

  private void commands(CommandSpec program) throws IOException {
    begin("Commands", "Each of them also explains itself: `kymo COMMAND --help`.");
    line("| command | what it does |", "|---|---|");
    for (CommandSpec command : Manual.parts(program)) {
      String[] description = command.usageMessage().description();
      line(
          "| [`kymo %s`](%s.md) | %s |"
              .formatted(command.name(), command.name(), sentence(description)));
    }
    end("commands");
    for (CommandSpec command : Manual.parts(program)) {
      begin(command.qualifiedName(), "");
      command(command);
      for (CommandSpec part : Manual.parts(command)) {
        line("", "## " + part.qualifiedName(), "");
        command(part);
      }
      end(command.name());
    }
  }

  private void command(CommandSpec command) {
    String synopsis =
        new Help(command, Help.Ansi.OFF).synopsis(0).strip().replaceAll("\n +(?=kymo )", "\n");
    line("```text", synopsis, "```", "");
    // Lines that stand apart are examples of command lines.
    for (String part : command.usageMessage().description()) {
      for (String each : part.replace("%n", "\n").replace("%%", "%").split("\n", -1)) {
        line(each.startsWith("  ") ? "    " + each.strip() : text(each));
      }
    }
    List<PositionalParamSpec> arguments =
        command.positionalParameters().stream().filter(each -> !each.hidden()).toList();
    if (!arguments.isEmpty()) {
      line("", "| argument | |", "|---|---|");
      arguments.forEach(each -> row(each.paramLabel(), each.description()));
    }
    line("", "| option | |", "|---|---|");
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        row(Manual.label(option), option.description());
      }
    }
  }

  private void row(String name, String[] description) {
    line("| `%s` | %s |".formatted(cell(name), cell(text(joined(description)))));
  }

  private void reports() throws IOException {
    begin(
        "Columns of reports",
        "What `kymo report` writes with `--csv` and `--json`. In JSON a column's name is its words"
            + " joined, `waited_max` is `waitedMax`, and what is not known is `null`; in CSV it ends"
            + " with the unit, `waited_max_ns`, and what is not known is empty. Tables of SQL and of"
            + " the viewer that have the same columns call them the same.");
    for (Tables.Shown each : Tables.all()) {
      Table<?> table = each.table();
      line(
          "## " + table.name(),
          "",
          "`%s`: %s.".formatted(("kymo report " + each.option()).strip(), table.meaning()));
      line("", "| column | unit | |", "|---|---|---|");
      for (Column<?> column : table.columns()) {
        line(
            "| `%s` | %s | %s |"
                .formatted(
                    column.id(),
                    column.unit().name().toLowerCase(Locale.ROOT),
                    cell(text(column.meaning()))));
      }
      line("");
    }
    end("reports");
  }

  private void tables() throws IOException {
    begin(
        "Tables and ready questions",
        "What `kymo query` and the viewer's tab *SQL* can be asked; [how](../query.md). A recording"
            + " has further tables: one for each kind of its kernel events, and one for each event"
            + " of the program's own.");
    for (Map.Entry<String, List<Questions.ColumnText>> table : ofEmptyRecording().entrySet()) {
      line("## " + table.getKey(), "", "| column | type | |", "|---|---|---|");
      for (Questions.ColumnText column : table.getValue()) {
        line(
            "| `%s` | %s | %s |"
                .formatted(column.name(), column.type(), cell(text(column.meaning()))));
      }
      line("");
    }
    line("## Functions", "", "| function | |", "|---|---|");
    for (Questions.FunctionText function : Questions.functions()) {
      line("| `%s` | %s |".formatted(cell(function.call()), cell(text(function.meaning()))));
    }
    line(
        "",
        "## Ready questions",
        "",
        "`kymo query RECORDING --question NAME --set PARAMETER=VALUE`");
    for (ReadyQuestion question : Library.all()) {
      line("", "### " + question.name(), "", text(question.description()), "");
      if (!question.parameters().isEmpty()) {
        line("| parameter | default | |", "|---|---|---|");
        for (Parameter each : question.parameters()) {
          String initial = each.initial().isEmpty() ? "" : "`" + cell(each.initial()) + "`";
          line("| `%s` | %s | %s |".formatted(each.name(), initial, cell(text(each.meaning()))));
        }
      }
      line("", "```sql", question.sql().strip(), "```");
    }
    end("tables");
  }

  private static Map<String, List<Questions.ColumnText>> ofEmptyRecording() throws IOException {
    Path room = Files.createTempDirectory("kymo-empty");
    Path empty = Files.createDirectory(room.resolve("empty.kymo"));
    Path metadata = Files.writeString(empty.resolve("metadata"), metadata());
    Recording recording = Recording.open(empty);
    try (ExportSource source =
            ExportSource.open(
                recording, Selected.all(), ProgressListener.NONE, ProgressListener.NONE);
        Questions questions =
            Questions.open(
                Map.of("empty", source),
                room,
                new Questions.Settings(false, 128, Questions.May.ASK))) {
      return questions.tables();
    } catch (SQLException e) {
      throw new IOException(e);
    } finally {
      Files.delete(metadata);
      Files.delete(empty);
      Files.delete(room);
    }
  }

  private void format() throws IOException {
    begin(
        "Words and metadata of the format",
        "Version %d.%d of the [format](../format/spec.md): the words that recordings, tables and"
                .formatted(FormatVersion.MAJOR, FormatVersion.MINOR)
            + " options have, and the description by which other tools read a recording.");
    words("Kinds of events", EventKind.values(), EventKind::word);
    words("Types of fields", FieldType.values(), FieldType::word);
    words("What threads wait for", WaitKind.values(), WaitKind::word);
    words("What the kernel did with a thread", SchedulerState.values(), SchedulerState::word);
    line("## Metadata", "", "Of a recording without kernel events, in TSDL of CTF 1.8:", "");
    line("```text", metadata().strip(), "```");
    end("words");
  }

  private <T> void words(String title, T[] values, Function<T, String> word) {
    String all =
        Arrays.stream(values)
            .map(value -> "`" + word.apply(value) + "`")
            .collect(Collectors.joining(", "));
    line("## " + title, "", all, "");
  }

  private static String metadata() {
    return MetadataText.of(new UUID(0, 0), new Clock(Clock.MONOTONIC, 1_000_000_000L, 0));
  }

  private void begin(String title, String introduction) {
    lines.clear();
    line("# " + title, "", introduction, "");
  }

  private void end(String name) throws IOException {
    Files.write(folder.resolve(name + ".md"), lines);
  }

  private void line(String... more) {
    lines.addAll(List.of(more));
  }

  private static String sentence(String[] description) {
    return cell(text(Manual.sentence(List.of(description)))) + ".";
  }

  private static String joined(String[] description) {
    return Manual.joined(List.of(description));
  }

  /** Text as it is, for Markdown. */
  private static String text(String text) {
    return text.replaceAll("[\\\\*_<>\\[\\]`]", "\\\\$0");
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
