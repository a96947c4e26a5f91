package dev.kymo.importers.barrelfish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineParserTest {
  @Test
  void events() {
    assertThat(LineParser.parse("15 5456 ffffcccc01b2de00"))
        .isEqualTo(new LogLine.Event(15, 5456, 0xffffcccc01b2de00L));
    assertThat(LineParser.parse("0 18769 bbbb\r")).isEqualTo(new LogLine.Event(0, 18769, 0xbbbb));
    assertThat(LineParser.parse("3 7 1 something else")).isEqualTo(new LogLine.Event(3, 7, 1));
  }

  @Test
  void beginsOfDumps() {
    LogLine start = new LogLine.Start(371947867965L);
    String text = "# Start 371947867965 Duration 0 Stop 18446744073709551615";
    assertThat(LineParser.parse(text)).isEqualTo(start);
    assertThat(LineParser.parse("# Min_timestamp 77")).isEqualTo(new LogLine.MinTimestamp(77));
    assertThat(LineParser.parse("# Core 12 LOG DUMP ========")).isEqualTo(new LogLine.Core(12));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "037211",
        "37211 ",
        " 37211",
        "00037211",
        "37211\0xy",
        "3721111\0",
        "1\0\0\0\0\0\0\0"
      })
  void lengthsStuckToTheBegin(String length) {
    assertThat(LineParser.parse(length + "# Min_timestamp 5"))
        .isEqualTo(new LogLine.MinTimestamp(5));
  }

  @Test
  void aLengthWithALineBreakInIt() {
    assertThat(LineParser.parse("37211\0")).isInstanceOf(LogLine.Blank.class);
  }

  @Test
  void coresAndApplications() {
    assertThat(LineParser.parse("# Offset 3 -1200")).isEqualTo(new LogLine.Offset(3, -1200));
    assertThat(LineParser.parse("# DCB 0 ffffff000713aa00 fish"))
        .isEqualTo(new LogLine.Application(0, 0xffffff000713aa00L, "fish"));
    assertThat(LineParser.parse("# DCB 2 8000000003410000 init"))
        .isEqualTo(new LogLine.Application(2, 0x3410000, "init"));
    assertThat(LineParser.parse("# DCB 2 80000001aa410000 a b\r"))
        .isEqualTo(new LogLine.Application(2, 0x80000001aa410000L, "a b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\r", "dump trac buffers: Start", "dump trac buffers: Stop\r"})
  void nothing(String line) {
    assertThat(LineParser.parse(line)).isInstanceOf(LogLine.Blank.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kernel 0: memory map",
        "# DCB 0 fish",
        "# Core 256 LOG DUMP",
        "256 1 1",
        "-1 5 1",
        "0 -5 1",
        "0 5",
        "0 5 ",
        "0 1234567890123456789 1",
        "0 5 10000000000000000",
        "0 5 xyz",
        "0  5 1",
        "# Offset 3 99999999999999999999",
        "# Start",
        "٣ 5 1",
        " ",
      })
  void neitherEventsNorFailures(String line) {
    assertThat(LineParser.parse(line)).isNotInstanceOf(LogLine.Event.class);
  }
}
