package dev.kymo.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is called the same is the same, in all tables. */
class GlossaryTest {
  @Test
  void anIdIsWordsWithUnderscores() {
    for (Tables.Shown each : Tables.all()) {
      Set<String> ids = new HashSet<>();
      for (Column<?> column : each.table().columns()) {
        String name = each.table().name() + '.' + column.id();
        assertThat(column.id()).as(name).matches("[a-z][a-z0-9]*(_[a-z0-9]+)*");
        assertThat(ids.add(column.id())).as("only one %s", name).isTrue();
        assertThat(column.head()).as(name).doesNotMatch(".*(_ns|_bytes).*(_ns|_bytes)");
      }
    }
  }

  @Test
  void anIdHasOneUnit() {
    Map<String, Unit> units = new HashMap<>();
    for (Tables.Shown each : Tables.all()) {
      boolean counters = each.table().name().equals("events"); // min and max of any numbers
      for (Column<?> column : each.table().columns()) {
        Unit known = counters ? null : units.putIfAbsent(column.id(), column.unit());
        boolean samples = each.option().equals("--samples"); // total: of samples
        if (known != null && !samples) {
          assertThat(column.unit()).as(each.option() + ' ' + column.id()).isEqualTo(known);
        }
      }
    }
  }

  @Test
  void aColumnSaysWhatItMeans() {
    for (Tables.Shown each : Tables.all()) {
      assertThat(each.table().meaning()).isNotEmpty().doesNotEndWith(".");
      for (Column<?> column : each.table().columns()) {
        assertThat(column.meaning())
            .as(each.table().name() + '.' + column.id())
            .isNotEmpty()
            .doesNotContain("\n")
            .doesNotEndWith(".")
            .hasSizeLessThan(60);
      }
    }
  }
}
