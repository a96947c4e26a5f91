package dev.kymo.cli.query.shell;

import dev.kymo.query.ask.Questions;
import dev.kymo.query.library.Library;
import dev.kymo.query.library.ReadyQuestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Suggests tables, columns of the tables that the question names, functions, and words of SQL. */
public final class NameCompleter implements Completer {
  private static final List<String> WORDS =
      List.of(
          ("SELECT FROM WHERE GROUP BY ALL ORDER LIMIT JOIN LEFT ASOF USING HAVING QUALIFY OVER "
                  + "PARTITION DISTINCT BETWEEN DESC CASE WHEN THEN ELSE END WITH AS AND OR NOT NULL "
                  + "count sum avg min max approx_quantile arg_max lead lag round")
              .split(" "));

  private final Map<String, List<Questions.ColumnText>> tables;

  public NameCompleter(Map<String, List<Questions.ColumnText>> tables) {
    this.tables = tables;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    names(line.line(), line.word()).forEach(name -> candidates.add(candidate(name)));
  }

  private static Candidate candidate(String name) {
    boolean more = name.endsWith("(");
    return new Candidate(name, name, null, null, null, null, !more);
  }

  /** What the word may become. */
  List<String> names(String line, String word) {
    if (line.stripLeading().startsWith(".")) {
      return commands(line);
    }
    Set<String> mentioned = Arrays.stream(line.split("[^\\w.]+")).collect(Collectors.toSet());
    List<String> names = new ArrayList<>(tables.keySet());
    tables.forEach((table, columns) -> {
      if (mentioned.contains(table)) {
        columns.forEach(column -> names.add(column.name()));
      }
    });
    Questions.functions().stream()
        .map(function -> function.call().replaceFirst("\\(.*", "("))
        .forEach(names::add);
    // As the user writes.
    boolean small = !word.isEmpty() && Character.isLowerCase(word.charAt(0));
    WORDS.forEach(each -> names.add(small ? each.toLowerCase(java.util.Locale.ROOT) : each));
    return names.stream().distinct().toList();
  }

  private List<String> commands(String line) {
    if (line.stripLeading().startsWith(".columns ")) {
      return List.copyOf(tables.keySet());
    }
    if (line.stripLeading().startsWith(".question ")) {
      return Stream.concat(
              Library.all().stream().map(ReadyQuestion::name),
              Library.all().stream()
                  .filter(question -> line.contains(question.name() + ' '))
                  .flatMap(question -> question.parameters().stream())
                  .map(parameter -> parameter.name() + '='))
          .toList();
    }
    return ShellCommands.NAMES;
  }
}
