package dev.kymo.exporters.csv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvCellsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"=1+1", "+cmd", "-cmd", "@SUM(A1)", "\tx", "-1+cmd", "--", "-", "-1 x", "-inf"})
  void formulasBecomeTexts(String text) {
    assertThat(CsvCells.SAFE.of(text)).isEqualTo("'" + text);
    assertThat(CsvCells.PLAIN.of(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "-1", "+2", "-1.5", "-.5", "-1e9", "-2.5E-7", "1=1", "a.B.-x", "'x"})
  void numbersAndOtherTextsStay(String text) {
    assertThat(CsvCells.SAFE.of(text)).isEqualTo(text);
  }

  @Test
  void quotesComeAroundIt() {
    assertThat(CsvCells.SAFE.of("=a,\"b\"")).isEqualTo("\"'=a,\"\"b\"\"\"");
    assertThat(CsvCells.SAFE.of("\r=a")).isEqualTo("\"'\r=a\"");
    assertThat(CsvCells.PLAIN.of("=a,b")).isEqualTo("\"=a,b\"");
  }
}
