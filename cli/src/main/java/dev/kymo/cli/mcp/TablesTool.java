package dev.kymo.cli.mcp;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.query.ask.Questions;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** The tool that lists the tables that questions in SQL can be about. */
final class TablesTool implements Tool {
  @Override
  public String name() {
    return "tables";
  }

  @Override
  public String description() {
    return "The tables for 'query' with their columns, types, units and meanings, those of the"
        + " program's own events included.";
  }

  @Override
  public List<Argument> arguments() {
    return List.of(Argument.text("table", "only tables whose name contains this"));
  }

  @Override
  public Answer answer(OpenRecording recording, Given given, Progress progress)
      throws IOException, SQLException {
    String wanted = given.text("table").orElse("");
    StringBuilder text = new StringBuilder();
    recording
        .questions(progress)
        .tables()
        .forEach((name, columns) -> {
          if (name.contains(wanted)) {
            text.append(name).append('\n');
            for (Questions.ColumnText column : columns) {
              text.append(
                  "  %s %s: %s%n".formatted(column.name(), column.type(), column.meaning()));
            }
          }
        });
    if (text.isEmpty()) {
      throw new MistakeException("no table has this in its name: table=" + wanted);
    }
    return Answer.of(Written.cut(text.toString(), 0, "ask for some with table"));
  }
}
