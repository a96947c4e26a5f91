package dev.kymo.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTest {
  private record Row(long part, long whole, boolean lossy) {}

  private static final Column<Row> PART =
      Column.<Row>nanos("self_time", "self", "a part", Row::part)
          .where(row -> row.part() >= 0, Column.UNKNOWN)
          .atLeast(Row::lossy)
          .summed(Row::part);

  @Test
  void hasANameForEachFace() {
    assertThat(PART.head()).isEqualTo("self_time_ns");
    assertThat(PART.field()).isEqualTo("selfTime");
  }

  @Test
  void saysWhatIsNotKnownOrMore() {
    assertThat(PART.textOf(new Row(1500, 2000, false))).isEqualTo("1.500 us");
    assertThat(PART.textOf(new Row(1500, 2000, true))).isEqualTo("≥1.500 us");
    assertThat(PART.textOf(new Row(-1, 2000, true))).isEqualTo("?");
    assertThat(PART.isAtLeast(new Row(-1, 2000, true))).isFalse();
    assertThat(PART.value().apply(new Row(-1, 2000, true))).isNull();
    assertThat(PART.estimatedWhere(Row::lossy).textOf(new Row(10, 20, true))).isEqualTo("≥~10 ns");
  }

  @Test
  void addsUp() {
    List<Row> rows = List.of(new Row(10, 20, false), new Row(5, 20, true));
    assertThat(PART.sumOf(rows)).isEqualTo("≥15 ns");
    assertThat(Column.<Row>nanos("id", "id", "it", Row::part).sumOf(rows)).isEmpty();
  }

  @Test
  void aShareNeedsBoth() {
    Column<Row> share = PART.shareOf(Column.nanos("whole", "whole", "all", Row::whole));
    assertThat(share.textOf(new Row(5, 20, false))).isEqualTo("25.0 %");
    assertThat(share.textOf(new Row(5, 0, false))).isEmpty();
    assertThat(share.textOf(new Row(-1, 20, false))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.0 %",
    "0.0001, < 0.1 %",
    "0.0005, 0.1 %",
    "0.5, 50.0 %",
    "0.9994, 99.9 %",
    "0.99996, > 99.9 %",
    "1, 100.0 %"
  })
  void onlyAllIsAll(double share, String text) {
    assertThat(Unit.SHARE.text(share)).isEqualTo(text);
  }

  @Test
  void columnsWithoutAnythingAreNotForPeople() {
    Column<Row> empty = PART.where(row -> false, "");
    Table<Row> table = new Table<>("rows", "it", List.of(PART), List.of(empty, PART), List.of());
    assertThat(table.peopleFor(List.of(new Row(1, 1, false)))).containsExactly(PART);
  }
}
