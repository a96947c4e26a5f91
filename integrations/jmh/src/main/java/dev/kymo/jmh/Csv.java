package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A table as {@code kymo} writes it with {@code --csv}: the first line has the columns' names. */
@Unrecorded
final class Csv {
  private Csv() {}

  /** The rows, by names of columns. */
  static List<Map<String, String>> rows(String text) {
    List<List<String>> lines = lines(text);
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < line.size(); i++) {
        row.put(lines.get(0).get(i), line.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<List<String>> lines(String text) {
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        cell.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == ',' || c == '\n')) {
        line.add(cell.toString());
        cell.setLength(0);
        if (c == '\n') {
          lines.add(line);
          line = new ArrayList<>();
        }
      } else if (c != '\r' || quoted) {
        cell.append(c);
      }
    }
    return lines;
  }
}
