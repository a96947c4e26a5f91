package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.session.system.RawText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Orders, read as {@code recording/native/machine/init.c} reads them. */
class GuestOrdersTest {
  /** As {@code struct orders}; texts have one character a byte. */
  private record Orders(
      String task,
      long memory,
      String directory,
      String program,
      List<String> arguments,
      List<String> environment) {}

  /** As {@code read_orders}. */
  private static final class Reader {
    private final byte[] bytes;
    private int at;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    private String next() {
      int begin = at;
      while (bytes[at] != 0) { // each text has its end: this array has no zeros after it
        at++;
      }
      return new String(bytes, begin, at++ - begin, StandardCharsets.ISO_8859_1);
    }

    private static long hex(String text) {
      assertThat(text).matches("[0-9a-f]{1,16}");
      return text.chars()
          .mapToLong(c -> c <= '9' ? c - '0' : c - 'a' + 10)
          .reduce(0, (value, digit) -> value * 16 + digit);
    }

    Orders orders() {
      String task = next();
      long memory = hex(next());
      String directory = next();
      String program = next();
      List<String> arguments = new ArrayList<>();
      long count = hex(next());
      for (long i = 0; i < count; i++) {
        arguments.add(next());
      }
      List<String> environment = new ArrayList<>();
      while (at < bytes.length) {
        environment.add(next());
      }
      return new Orders(task, memory, directory, program, arguments, environment);
    }
  }

  private static Orders read(byte[] bytes) {
    return new Reader(bytes).orders();
  }

  @Test
  void learning() {
    assertThat(read(GuestOrders.learn()))
        .isEqualTo(new Orders("learn", 0x6000000, "/", "", List.of(), List.of()));
    assertThat(new String(GuestOrders.learn(), StandardCharsets.UTF_8))
        .isEqualTo("learn\0006000000\0/\0\0000\0");
  }

  @Test
  void running() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", "/bin:/usr/bin");
    environment.put("EMPTY", "");
    environment.put("A", "b=c");
    byte[] bytes = GuestOrders.run("/home", "/bin/ls", List.of("ls", "", "-l"), environment);
    assertThat(read(bytes))
        .isEqualTo(
            new Orders(
                "run",
                GuestMessages.AREA_ADDRESS,
                "/home",
                "/bin/ls",
                List.of("ls", "", "-l"),
                List.of("PATH=/bin:/usr/bin", "EMPTY=", "A=b=c")));
  }

  @Test
  void withoutEnvironment() {
    assertThat(read(GuestOrders.run("/", "x", List.of("x"), Map.of())))
        .isEqualTo(
            new Orders("run", GuestMessages.AREA_ADDRESS, "/", "x", List.of("x"), List.of()));
  }

  @Test
  void asManyArgumentsAsNeedMoreDigits() {
    List<String> words =
        IntStream.range(0, 0xABC).mapToObj(Integer::toString).collect(Collectors.toList());
    Orders orders = read(GuestOrders.run("/", "x", words, Map.of("A", "1")));
    assertThat(orders.arguments()).isEqualTo(words);
    assertThat(orders.environment()).containsExactly("A=1");
  }

  @Test
  void bytesStayWhatTheyAre() {
    String raw = "caf\uDCE9"; // RawText of the byte E9
    Orders orders =
        read(GuestOrders.run("/\u00E9", raw, List.of(raw, "\n"), Map.of("V" + raw, raw)));
    assertThat(orders.directory()).isEqualTo("/\u00C3\u00A9");
    assertThat(orders.program()).isEqualTo("caf\u00E9");
    assertThat(orders.arguments()).containsExactly("caf\u00E9", "\n");
    assertThat(orders.environment()).containsExactly("Vcaf\u00E9=caf\u00E9");
    assertThat(RawText.isText(raw)).isFalse();
  }
}
