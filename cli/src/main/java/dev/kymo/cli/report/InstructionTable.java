package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.listing.InstructionUse;
import dev.kymo.reader.Recording;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The report about executed code: which files' how much, by process. */
final class InstructionTable {
  private static final String NO_FILE = "generated code";

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
    this.rows = use.rows().stream().filter(r -> pattern.matcher(name(r)).find()).toList();
    this.levels = use.levels();
    this.repeated = use.repeated();
    this.all = use.rows().stream().mapToLong(InstructionUse.Row::instructions).sum();
    use.damages().values().forEach(terminal::warn);
    trace.damages().forEach(terminal::warn);
    this.oddities = List.copyOf(use.damages().values());
  }

  private static String name(InstructionUse.Row row) {
    return row.module().isEmpty() ? NO_FILE : row.module();
  }

  List<InstructionUse.Row> rows() {
    return rows;
  }

  private String share(long instructions) {
    return String.format(Locale.ROOT, "%.1f %%", all == 0 ? 0 : 100.0 * instructions / all);
  }

  private void writeLevels() {
    TextTable table = new TextTable();
    table.row("instructions", "share", "code bytes", "process", "pid", "program", "level");
    for (InstructionUse.LevelRow row : levels) {
      table.row(
          Long.toString(row.instructions()),
          share(row.instructions()),
          Long.toString(row.code()),
          Integer.toString(row.process()),
          Integer.toString(row.pid()),
          row.name(),
          row.level().word());
    }
    table.write(terminal);
    terminal.line("");
  }

  void writeText(List<InstructionUse.Row> shown) {
    if (!levels.isEmpty()) {
      writeLevels();
    }
    TextTable table = new TextTable();
    table.row("instructions", "share", "code bytes", "from", "to", "process", "pid", "file");
    for (InstructionUse.Row row : shown) {
      table.row(
          Long.toString(row.instructions()),
          share(row.instructions()),
          Long.toString(row.code()),
          Long.toHexString(row.first()),
          Long.toHexString(row.last()),
          Integer.toString(row.process()),
          Integer.toString(row.pid()),
          name(row));
    }
    table.write(terminal);
  }

  void writeCsv(List<InstructionUse.Row> shown) {
    terminal.line("process,pid,file,instructions,code_bytes,first,last");
    for (InstructionUse.Row row : shown) {
      terminal.csv(
          row.process(),
          row.pid(),
          name(row),
          row.instructions(),
          row.code(),
          row.first(),
          row.last());
    }
  }

  void writeJson(List<InstructionUse.Row> shown) throws IOException {
    try (JsonGenerator json = terminal.json()) {
      json.writeStartObject();
      json.writeNumberField("instructions", all);
      json.writeArrayFieldStart("files");
      for (InstructionUse.Row row : shown) {
        json.writeStartObject();
        json.writeNumberField("process", row.process());
        json.writeNumberField("pid", row.pid());
        json.writeStringField("file", name(row));
        json.writeNumberField("instructions", row.instructions());
        json.writeNumberField("codeBytes", row.code());
        json.writeNumberField("first", row.first());
        json.writeNumberField("last", row.last());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeNumberField("begunAgain", repeated);
      json.writeArrayFieldStart("levels");
      for (InstructionUse.LevelRow row : levels) {
        json.writeStartObject();
        json.writeNumberField("process", row.process());
        json.writeNumberField("pid", row.pid());
        json.writeStringField("program", row.name());
        json.writeStringField("level", row.level().word());
        json.writeNumberField("instructions", row.instructions());
        json.writeNumberField("codeBytes", row.code());
        json.writeEndObject();
      }
      json.writeEndArray();
      JsonFields.strings(json, "oddities", oddities);
      json.writeEndObject();
    }
    terminal.line("");
  }
}
