package dev.kymo.query;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.Selected;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.reader.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A recording that is asked; rows of answers are texts with a space between columns. */
final class Asking implements AutoCloseable {
  private final Recording recording;
  private final Questions questions;

  Asking(Path path, Path folder) throws Exception {
    recording = Recording.open(path);
    Map<String, ExportSource> sources = new LinkedHashMap<>();
    sources.put(
        "r",
        ExportSource.open(recording, Selected.all(), ProgressListener.NONE, ProgressListener.NONE));
    Path room = Files.createTempDirectory(folder, "room");
    questions =
        Questions.open(sources, room, new Questions.Settings(false, 128, Questions.May.CHANGE));
  }

  List<String> ask(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    questions.ask(
        sql,
        new Questions.Taker() {
          @Override
          public void columns(ResultSet answer) {}

          @Override
          public boolean row(ResultSet answer) throws SQLException {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= answer.getMetaData().getColumnCount(); i++) {
              row.add(String.valueOf(answer.getString(i)));
            }
            rows.add(String.join(" ", row));
            return true;
          }
        });
    return rows;
  }

  /** Asks a ready question, of whose answer only some columns count. */
  List<String> ready(String name, String columns, Map<String, String> values) throws SQLException {
    String sql = Library.find(name).orElseThrow().sql(values);
    return ask("SELECT %s FROM (%s)".formatted(columns, sql));
  }

  @Override
  public void close() throws SQLException {
    questions.close();
    recording.close();
  }
}
