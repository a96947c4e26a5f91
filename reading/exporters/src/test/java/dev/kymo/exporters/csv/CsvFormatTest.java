package dev.kymo.exporters.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.exporters.source.MadeUp;
import dev.kymo.exporters.source.ModelCalls;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvFormatTest {
  private static final int BEGIN = 0;
  private static final int END = 1;
  private static final int NAME = 6;
  private static final int KIND = 7;
  private static final int METHOD = 10;

  @TempDir Path directory;

  private Path export(Path recording) throws IOException {
    Path to = Files.createTempDirectory(directory, "csv");
    try (Recording open = Recording.open(recording)) {
      new CsvExport(CsvCells.PLAIN).write(MadeUp.open(open), to);
    }
    return to;
  }

  /** The rows of a table without its head; quotes as RFC 4180 has them. */
  private static List<List<String>> rows(Path file) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    String text = Files.readString(file);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        boolean doubled = quoted && i + 1 < text.length() && text.charAt(i + 1) == '"';
        i += doubled ? 1 : 0;
        quoted = doubled || !quoted;
        cell.append(doubled ? "\"" : "");
      } else if (quoted || (c != ',' && c != '\n')) {
        cell.append(c);
      } else {
        row.add(cell.toString());
        cell.setLength(0);
        if (c == '\n') {
          rows.add(List.copyOf(row));
          row.clear();
        }
      }
    }
    return rows.subList(1, rows.size());
  }

  @Test
  void callsAndTimesAreThoseOfTheModel() throws IOException {
    for (Path recording : MadeUp.all(directory).toList()) {
      Path tables = export(recording);
      List<String> lines = new ArrayList<>();
      for (String table : List.of("calls.csv", "states.csv", "waits.csv")) {
        long before = 0;
        for (List<String> row : rows(tables.resolve(table))) {
          long begin = Long.parseLong(row.get(BEGIN));
          assertThat(begin).isGreaterThanOrEqualTo(before);
          before = begin;
          String suffix =
              switch (row.get(KIND)) {
                case "states" -> " (waits)";
                case "scheduled" -> " (scheduled)";
                default -> "";
              };
          lines.add(
              ModelCalls.line(
                  row.get(NAME) + suffix, row.get(METHOD), begin, Long.parseLong(row.get(END))));
        }
      }
      Collections.sort(lines);
      assertThat(lines).isEqualTo(MadeUp.calls(recording));
    }
  }

  @Test
  void everythingElseIsThere() throws IOException {
    Path tables = export(MadeUp.everything(directory));
    try (Stream<Path> files = Files.list(tables)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "calls.csv",
              "states.csv",
              "waits.csv",
              "events.csv",
              "counters.csv",
              "messages.csv",
              "kernel.csv",
              "threads.csv",
              "methods.csv",
              "counted.csv",
              "recording.csv");
    }
    assertThat(rows(tables.resolve("events.csv")))
        .extracting(row -> row.get(0) + ' ' + row.get(5) + ' ' + row.get(6) + ' ' + row.get(7))
        .containsExactly(
            "200 send shop.ASK key=77",
            "250 receive shop.ASKED key=77",
            "400 instant shop.SOLD size=18446744073709551614 what=tea\u00e9",
            "650 instant shop.SIGNED n=-9",
            "2000 lost  lost 5 events until_ns=3000");
    assertThat(rows(tables.resolve("counters.csv")))
        .extracting(row -> row.get(0) + ' ' + row.get(6) + ' ' + row.get(7))
        .containsExactly("150 shop.STOCK 1.8446744073709552E19", "260 shop.STOCK 12");
    assertThat(rows(tables.resolve("messages.csv")))
        .extracting(row -> row.get(0) + ' ' + row.get(1) + ' ' + row.get(4))
        .containsExactly("200 250 shop.ASK");
    assertThat(rows(tables.resolve("recording.csv")))
        .contains(List.of("command", "java App"), List.of("unit", "ns"));
    assertThat(rows(tables.resolve("waits.csv")))
        .extracting(row -> row.get(12) + ' ' + row.get(10))
        .containsExactly("1f monitor a.Lock");
  }
}
