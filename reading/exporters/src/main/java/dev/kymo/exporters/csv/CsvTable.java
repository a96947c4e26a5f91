package dev.kymo.exporters.csv;

import dev.kymo.exporters.bytes.BytesOut;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A file of comma-separated values as RFC 4180 has them, in UTF-8; its first line has names. */
final class CsvTable implements AutoCloseable {
  private final BytesOut out;
  private final CsvCells cells;
  private boolean first = true;
  private long rows;

  CsvTable(Path file, String head, CsvCells cells) throws IOException {
    this.cells = cells;
    out = BytesOut.to(file);
    out.put(head).put('\n');
  }

  private void comma() {
    if (!first) {
      out.put(',');
    }
    first = false;
  }

  CsvTable number(long value) {
    comma();
    out.number(value);
    return this;
  }

  CsvTable text(String value) {
    return bytes(cell(value, cells));
  }

  /** What {@link #cell} has made. */
  CsvTable bytes(byte[] cell) {
    comma();
    out.put(cell);
    return this;
  }

  static byte[] cell(String value, CsvCells cells) {
    return cells.of(value).getBytes(StandardCharsets.UTF_8);
  }

  void end() {
    out.put('\n');
    first = true;
    rows++;
  }

  long rows() {
    return rows;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
