package dev.kymo.exporters.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedRowsTest {
  @TempDir Path directory;

  @Test
  void rowsAreSortedInMemoryAndInFiles() throws IOException {
    long seed = 7;
    Random random = new Random(seed);
    for (int count : new int[] {0, 1, 9, 10, 11, 1_000}) {
      List<List<Long>> expected = new ArrayList<>();
      List<List<Long>> sorted = new ArrayList<>();
      try (SortedRows rows = new SortedRows(3, directory, "rows-", 10)) {
        for (long i = 0; i < count; i++) {
          long key = random.nextInt(100);
          rows.add(key, i, -i);
          expected.add(List.of(key, i, -i));
        }
        rows.forEach(row -> sorted.add(List.of(row[0], row[1], row[2])));
      }
      expected.sort(Comparator.comparing(row -> row.get(0))); // stable: the second is in order
      assertThat(sorted).as("seed=%d count=%d", seed, count).isEqualTo(expected);
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
