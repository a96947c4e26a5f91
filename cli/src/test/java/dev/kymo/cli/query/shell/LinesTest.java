package dev.kymo.cli.query.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.query.ask.Questions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the shell takes for one question, and what it suggests. */
class LinesTest {
  private static List<String> read(String text) throws IOException {
    List<String> questions = new ArrayList<>();
    try (Lines lines =
        new InputLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
      for (String each = lines.next(); each != null; each = lines.next()) {
        questions.add(each);
      }
    }
    return questions;
  }

  @Test
  void aQuestionGoesOnUntilItsSemicolon() throws IOException {
    assertThat(read("SELECT 1\nFROM x;\n.tables\nSELECT ';'\n; \nSELECT 2"))
        .containsExactly("SELECT 1\nFROM x;", ".tables", "SELECT ';'\n;", "SELECT 2");
    assertThat(read("SELECT 1 -- one;\n, 2; -- two\nSELECT 'a\n;b'\n;"))
        .containsExactly("SELECT 1 -- one;\n, 2; -- two", "SELECT 'a\n;b'\n;");
    assertThat(read("\n\nSELECT \"a;b\" -- it's\n;\n")).contains("SELECT \"a;b\" -- it's\n;");
    assertThat(read("")).isEmpty();
  }

  private static List<String> suggested(String line, String word) {
    Map<String, List<Questions.ColumnText>> tables = new LinkedHashMap<>();
    tables.put("calls", List.of(new Questions.ColumnText("begin", "BIGINT", "")));
    tables.put("gaps", List.of(new Questions.ColumnText("lost", "BIGINT", "")));
    return new NameCompleter(tables)
        .names(line, word).stream().filter(name -> name.startsWith(word)).toList();
  }

  @Test
  void suggestsWhatFits() {
    assertThat(suggested("SELECT * FROM ca", "ca")).containsExactly("calls", "calls_of(", "case");
    assertThat(suggested("FROM calls WHERE be", "be")).containsExactly("begin", "between");
    assertThat(suggested("FROM gaps WHERE be", "be")).containsExactly("between");
    assertThat(suggested("SEL", "SEL")).containsExactly("SELECT");
    assertThat(suggested(".col", ".col")).containsExactly(".columns");
    assertThat(suggested(".columns ga", "ga")).containsExactly("gaps");
    assertThat(suggested(".question perc", "perc")).containsExactly("percentiles");
    assertThat(suggested(".question percentiles bu", "bu")).containsExactly("bucket=");
  }
}
