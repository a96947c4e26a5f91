package dev.kymo.instructions.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.instructions.InstructionFiles;
import dev.kymo.instructions.trace.DetailRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataTraceTest {
  private static final int NUMBER = 0;
  private static final int TEXT = 1;
  private static final int MISSING = 2;

  @TempDir Path folder;

  private final DetailRecords records = new DetailRecords();

  private List<String> lines(long from, long to) throws IOException {
    return new DataTrace(InstructionFiles.of(folder), List.of())
        .lines(from, to).stream().map(line -> line.clock() + " " + line.text()).toList();
  }

  private DetailRecords hit(long clock, int place, int values) {
    return records.record().varint(clock).varint(place).varint(1).single(values);
  }

  private void places(String lines) throws IOException {
    Files.writeString(folder.resolve("data-1.places"), lines);
  }

  @Test
  void valuesHaveTheirNames() throws IOException {
    places("at open\nvalue rdi\nvalue str(rsi)\nat close\n");
    hit(0, 1, 2).single(NUMBER).varint(-2).single(TEXT).text("a\"\n");
    hit(5, 2, 0);
    hit(1, 1, 2).single(NUMBER).varint(0x10000).single(MISSING);
    records.chunk(folder.resolve("data-1"), 20, 27);
    assertThat(lines(0, 100))
        .containsExactly(
            "20 open rdi=-2 str(rsi)=\"a\\\"\\x0a\"",
            "25 close",
            "26 open rdi=0x10000 str(rsi)=not there");
    assertThat(lines(21, 26)).containsExactly("25 close");
  }

  @Test
  void switchesSayWhoIsReady() throws IOException {
    hit(0, 0, 2).single(NUMBER).varint(7).single(NUMBER).varint(12);
    hit(1, 0, 0);
    records.chunk(folder.resolve("data-1"), 20, 22);
    assertThat(lines(0, 100)).containsExactly("20 ready: /7 /12", "21 ready: none");
  }

  @Test
  void withoutNamesThereAreValues() throws IOException {
    hit(0, 9, 1).single(NUMBER).varint(1);
    records.chunk(folder.resolve("data-1"), 20, 21);
    assertThat(lines(0, 100)).containsExactly("20 value=1");
  }

  @Test
  void rubbishIsAnError() throws IOException {
    hit(0, 1, 200).single(TEXT).single(100);
    records.chunk(folder.resolve("data-1"), 20, 21);
    assertThatThrownBy(() -> lines(0, 100)).isInstanceOf(IOException.class);
  }
}
