package dev.kymo.cli.query;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import dev.kymo.query.ask.Questions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the rows of an answer. */
abstract class AnswerWriter implements Questions.Taker {
  final Terminal terminal;
  private final List<String> names = new ArrayList<>();

  AnswerWriter(Terminal terminal) {
    this.terminal = terminal;
  }

  /** A writer of a format; of a table there are so many rows at most. */
  static AnswerWriter of(QueryCommand.AnswerFormat format, Terminal terminal, int rows) {
    return switch (format) {
      case csv -> new AsCsv(terminal);
      case json -> new AsJson(terminal);
      case table, parquet -> new AsTable(terminal, rows);
    };
  }

  @Override
  public void columns(ResultSet answer) throws SQLException {
    ResultSetMetaData about = answer.getMetaData();
    for (int i = 1; i <= about.getColumnCount(); i++) {
      names.add(about.getColumnLabel(i));
    }
  }

  final List<String> names() {
    return names;
  }

  final List<String> texts(ResultSet answer, String unknown) throws SQLException {
    List<String> texts = new ArrayList<>();
    for (int i = 1; i <= names.size(); i++) {
      String text = answer.getString(i);
      texts.add(text == null ? unknown : text);
    }
    return texts;
  }

  /** What remains to be written after the last row. */
  void end() {}

  private static final class AsCsv extends AnswerWriter {
    AsCsv(Terminal terminal) {
      super(terminal);
    }

    @Override
    public void columns(ResultSet answer) throws SQLException {
      super.columns(answer);
      terminal.csv(names().toArray());
    }

    @Override
    public boolean row(ResultSet answer) throws SQLException {
      terminal.csv(texts(answer, "").toArray());
      return true;
    }
  }

  /** An object a line. */
  private static final class AsJson extends AnswerWriter {
    private @Nullable JsonGenerator json;

    AsJson(Terminal terminal) {
      super(terminal);
    }

    @Override
    public boolean row(ResultSet answer) throws SQLException {
      try {
        JsonGenerator to = json == null ? terminal.jsonLines() : json;
        json = to;
        to.writeStartObject();
        for (int i = 1; i <= names().size(); i++) {
          to.writeFieldName(names().get(i - 1));
          write(to, answer.getObject(i), answer.getString(i));
        }
        to.writeEndObject();
        return true;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void write(JsonGenerator to, @Nullable Object value, @Nullable String text)
        throws IOException {
      switch (value) {
        case null -> to.writeNull();
        case Boolean yes -> to.writeBoolean(yes);
        case Number number -> to.writeNumber(number.toString());
        default -> to.writeString(text);
      }
    }

    @Override
    void end() {
      if (json != null) {
        try {
          json.close();
          terminal.text("\n");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static final class AsTable extends AnswerWriter {
    private final TextTable table = new TextTable();
    private final int most;
    private int rows;

    AsTable(Terminal terminal, int most) {
      super(terminal);
      this.most = most;
    }

    @Override
    public void columns(ResultSet answer) throws SQLException {
      super.columns(answer);
      table.row(names().toArray(new String[0]));
    }

    @Override
    public boolean row(ResultSet answer) throws SQLException {
      if (rows == most) {
        rows++;
        return false;
      }
      rows++;
      table.row(texts(answer, "").toArray(new String[0]));
      return true;
    }

    @Override
    void end() {
      table.write(terminal);
      if (rows > most) {
        terminal.warn("there are more rows: --rows shows them, --format csv all");
      }
    }
  }
}
