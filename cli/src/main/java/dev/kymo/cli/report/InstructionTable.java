package dev.kymo.cli.report;

import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.TableOutput;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.listing.InstructionUse;
import dev.kymo.reader.Recording;
import dev.kymo.session.UsageException;
import dev.kymo.tables.InstructionsTable;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** The report about executed code: which files' how much, by process. */
final class InstructionTable {
  private final Terminal terminal;
  private final List<InstructionUse.Row> rows;
  private final List<InstructionUse.LevelRow> levels;
  private final long repeated;
  private final List<String> oddities;
  private final long all;

  /**
   * Reads all instructions of a recording.
   *
   * @param pattern what the names of files must contain
   * @throws UsageException if there are none
   */
  InstructionTable(Terminal terminal, Recording recording, Pattern pattern) throws IOException {
    InstructionTrace trace = recording.instructions();
    if (trace == null) {
      throw new UsageException(
          "no instructions were recorded here: record them with kymo record --instructions");
    }
    InstructionUse use = InstructionUse.of(trace);
    this.terminal = terminal;
    this.rows =
        use.rows().stream().filter(r -> pattern.matcher(InstructionsTable.file(r)).find()).toList();
    this.levels = use.levels();
    this.repeated = use.repeated();
    this.all = use.rows().stream().mapToLong(InstructionUse.Row::instructions).sum();
    use.damages().values().forEach(terminal::warn);
    trace.damages().forEach(terminal::warn);
    this.oddities = List.copyOf(use.damages().values());
  }

  void write(RowOptions options) throws IOException {
    TableOutput<InstructionUse.LevelRow> ofLevels =
        new TableOutput<>(terminal, InstructionsTable.levels(all));
    if (options.forPeople() && !levels.isEmpty()) {
      ofLevels.writeText(levels, levels);
      terminal.line("");
    }
    TableReport<InstructionUse.Row> files =
        new TableReport<>(terminal, options, InstructionsTable.files(all), rows);
    files.write(
        json -> json.writeNumberField("instructions", all),
        json -> {
          json.writeNumberField("begunAgain", repeated);
          ofLevels.writeJson(json, levels);
          JsonFields.strings(json, "oddities", oddities);
        },
        () -> {});
  }
}
