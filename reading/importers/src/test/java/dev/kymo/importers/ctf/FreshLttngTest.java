package dev.kymo.importers.ctf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Tool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trace that LTTng makes now has the events and calls that babeltrace2 shows. Root only. */
@Tag("peer")
class FreshLttngTest {
  private static final int CANNOT = 77;

  /** In babeltrace's text: seconds, nanoseconds, event, fields of its own. */
  private static final Pattern LINE =
      Pattern.compile("\\[(\\d+)\\.(\\d{9})] \\(\\S+\\) \\S+ (\\S+): .*?\\{ ?([^{}]*)}$");

  private static final Pattern STEP =
      Pattern.compile(
          "number = (-?\\d+), address = 0x([0-9A-F]+), text = \"(.*)\", part = (\\S+) ");
  private static final Pattern CALL =
      Pattern.compile("addr = 0x([0-9A-F]+), call_site = 0x[0-9A-F]+ ");
  private static final Pattern MAPPED = Pattern.compile("baddr = 0x([0-9A-F]+),.*/calls\".*");

  @TempDir Path folder;

  private final List<Event> events = new ArrayList<>();
  private Converted read =
      new Converted(List.of(), List.of(), List.of(), List.of(), List.of(), 0, 0);

  /** An event as babeltrace shows it. */
  private record Event(long time, String name, String fields) {}

  @BeforeEach
  void record() throws Exception {
    for (String tool : List.of("lttng", "lttng-sessiond", "babeltrace2", "gcc", "unshare")) {
      Tool.assume(tool);
    }
    for (String file : List.of("steps.h", "steps.c", "calls.c", "record.sh")) {
      try (InputStream in = FreshLttngTest.class.getResourceAsStream(file)) {
        Files.copy(Objects.requireNonNull(in, file), folder.resolve(file));
      }
    }
    assumeTrue(
        run("gcc", "-I.", "-o", "steps", "steps.c", "-llttng-ust", "-ldl") == 0,
        "skipped: liblttng-ust-dev is not installed");
    assertThat(run("gcc", "-finstrument-functions", "-o", "calls", "calls.c")).isZero();
    assumeTrue(
        run(alone("true")) == 0, "skipped: only root has mounts and processes of its own here");
    int status = run(alone("sh", "record.sh"));
    assumeTrue(status != CANNOT, "skipped: LTTng's session daemon cannot run here");
    assertThat(status).isZero();
    for (String line :
        Tool.lines("babeltrace2", "--clock-seconds", folder.resolve("trace").toString())) {
      Matcher is = LINE.matcher(line);
      assertThat(is.matches()).as(line).isTrue();
      long time = Long.parseLong(is.group(1) + is.group(2));
      events.add(new Event(time, is.group(3), is.group(4)));
    }
    Path recording = Files.createDirectory(folder.resolve("recording"));
    new CtfFormat()
        .convert(ForeignFile.of(folder.resolve("trace")), new Import(recording, (done, all) -> {}));
    read = Converted.read(recording);
  }

  private int run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder.environment().put("LTTNG_HOME", folder.toString());
    builder.environment().put("LTTNG_UST_REGISTER_TIMEOUT", "30000"); // ms
    return builder.start().waitFor();
  }

  private static String[] alone(String... command) {
    String[] unshare = {"unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"};
    return Stream.of(unshare, command).flatMap(Stream::of).toArray(String[]::new);
  }

  /** Nanoseconds since the first event. */
  private long since(Event event) {
    return event.time - events.getFirst().time;
  }

  @Test
  void eventsAreThoseOfBabeltrace() {
    List<String> expected =
        events.stream()
            .filter(event -> !event.name.startsWith("lttng_ust_cyg_profile:"))
            .map(event -> since(event) + " " + event.name.replace(':', '.'))
            .toList();
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events())
        .map(event -> event.replaceFirst("^.*?: (\\d+ \\S+) .*", "$1"))
        .containsExactlyInAnyOrderElementsOf(expected);
    List<Event> steps = events.stream().filter(event -> event.name.equals("steps:step")).toList();
    assertThat(steps).hasSize(300);
    for (Event step : steps) {
      Matcher is = STEP.matcher(step.fields);
      assertThat(is.matches()).as(step.fields).isTrue();
      String begin =
          "steps: %d steps.step number=%s address=%s text=%s part="
              .formatted(
                  since(step),
                  is.group(1),
                  Long.toUnsignedString(Long.parseUnsignedLong(is.group(2), 16)),
                  is.group(3).replace("\\\"", "\""));
      assertThat(read.events())
          .filteredOn(event -> event.startsWith(begin))
          .singleElement()
          .satisfies(event ->
              assertThat(Double.parseDouble(event.substring(begin.length())))
                  .isCloseTo(Double.parseDouble(is.group(4)), within(1e-4)));
    }
  }

  @Test
  void callsAreThoseOfBabeltrace() {
    long begin = 0;
    Deque<Event> open = new ArrayDeque<>();
    List<String> expected = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    for (Event event : events) {
      Matcher mapped = MAPPED.matcher(event.fields);
      Matcher call = CALL.matcher(event.fields);
      if (mapped.matches()) {
        begin = Long.parseUnsignedLong(mapped.group(1), 16);
      } else if (event.name.endsWith(":func_entry")) {
        open.push(event);
      } else if (event.name.endsWith(":func_exit") && call.matches()) {
        String function = Long.toHexString(Long.parseUnsignedLong(call.group(1), 16) - begin);
        expected.add(
            "calls: calls.0x%s %d-%d".formatted(function, since(open.pop()), since(event)));
        counts.merge(function, 1, Integer::sum);
      }
    }
    assertThat(read.calls()).containsExactlyInAnyOrderElementsOf(expected);
    List<Integer> numbers = new ArrayList<>(counts.values());
    Collections.sort(numbers);
    assertThat(numbers).isEqualTo(Arrays.asList(1, 50, 100)); // main, outer, inner
    assertThat(read.notices()).noneMatch(notice -> notice.contains("missing"));
  }
}
