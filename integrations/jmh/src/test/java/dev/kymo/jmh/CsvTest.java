package dev.kymo.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CsvTest {
  @Test
  void cellsAreReadAsTheyWere() {
    assertThat(Csv.rows("name,text\na,\"1,\"\"2\"\"\n3\"\r\nb,\n"))
        .containsExactly(
            Map.of("name", "a", "text", "1,\"2\"\n3"), Map.of("name", "b", "text", ""));
  }

  @Test
  void aTableMayBeEmpty() {
    assertThat(Csv.rows("name,text\n")).isEmpty();
    assertThat(Csv.rows("")).isEmpty();
  }
}
