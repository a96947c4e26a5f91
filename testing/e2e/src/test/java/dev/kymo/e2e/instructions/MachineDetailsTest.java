package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What replays of a machine add to its recording. Memory is judged by registers, these by gdb. */
@Tag("peer")
@Tag("machine")
class MachineDetailsTest {
  private static final Path SOURCES = Path.of("src/native").toAbsolutePath();
  private static final String[] REGISTERS = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
  };

  /** Moments that are compared. */
  private static final int STOPS = 1000;

  /** How often gdb stops besides. */
  private static final int MORE = 100;

  @TempDir static Path shared;

  private static Path recording;

  /** Calls of the program's functions, as it says itself. */
  private static int fib;

  private static int compare;

  @TempDir Path folder;

  @BeforeAll
  static void record() throws Exception {
    NativePrograms.assumeInstalled();
    assumeTrue(
        Files.isRegularFile(NativePrograms.LIBRARY.resolve("libkymo-machine.so")),
        "skipped: libkymo-machine was not built, this is no x86-64 machine");
    Kymo.Result prepared = Kymo.run("machine", "prepare");
    assumeTrue(
        prepared.exit() == 0,
        "skipped: QEMU 10 and a kernel cannot be had from Debian: " + prepared.err());
    Path program =
        NativePrograms.compile(SOURCES.resolve("nested.c"), shared.resolve("nested"), "-no-pie");
    recording = shared.resolve("run.kymo");
    Kymo.Result result =
        machine(
            "record",
            "-q",
            "--start-at",
            "program",
            "-o",
            recording.toString(),
            "--",
            program.toString(),
            "calls",
            "12");
    Matcher counts = Pattern.compile("144 fib (\\d+) compare (\\d+)\n").matcher(result.out());
    assertThat(counts.matches()).as(result.toString()).isTrue();
    fib = Integer.parseInt(counts.group(1));
    compare = Integer.parseInt(counts.group(2));
  }

  private static Kymo.Result machine(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("machine"));
    words.addAll(List.of(arguments));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  private static String print(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("print"));
    words.addAll(List.of(arguments));
    words.add(recording.toString());
    return Kymo.run(words.toArray(String[]::new)).out();
  }

  private static List<MatchResult> found(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.MULTILINE).matcher(text).results().toList();
  }

  /** How often fib(12) calls itself with a number. */
  private static int callsOfFib(int number) {
    int[] calls = new int[13];
    for (int n = 12; n >= 0; n--) {
      calls[n] =
          n == 12 ? 1 : calls[n + 1] * (n + 1 >= 2 ? 1 : 0) + (n + 2 > 12 ? 0 : calls[n + 2]);
    }
    return calls[number];
  }

  @Test
  void dataOfFunctionsIsWhatTheyAreCalledWith() throws Exception {
    String said =
        machine(
                "replay",
                "--at",
                "fib",
                "--data",
                "rdi",
                "--at",
                "nested:compare",
                "--data",
                "*(i32*)(rdi),*(i32*)rsi",
                "--at",
                "kernel:do_sys_openat2",
                "--data",
                "str(rsi)",
                recording.toString())
            .err();
    assertThat(said).contains("added data at ");
    String data = print("--data");
    Map<Integer, Long> numbers =
        found("at fib rdi=(\\d+)$", data).stream()
            .collect(
                Collectors.groupingBy(m -> Integer.valueOf(m.group(1)), Collectors.counting()));
    assertThat(numbers.values().stream().mapToLong(n -> n).sum()).isEqualTo(fib);
    for (int n = 0; n <= 12; n++) {
      assertThat(numbers.get(n)).as("fib(" + n + ")").isEqualTo(callsOfFib(n));
    }
    List<MatchResult> compared =
        found("nested:compare \\*\\(i32\\*\\)\\(rdi\\)=(\\S+) \\*\\(i32\\*\\)rsi=(\\S+)$", data);
    assertThat(compared).hasSize(compare);
    List<Long> sorted = numbersThatAreSorted();
    assertThat(sorted)
        .containsAll(compared.stream().map(m -> Long.decode(m.group(1))).distinct().toList());
    assertThat(data).contains("kernel:do_sys_openat2 str(rsi)=\"/etc/ld.so.cache\"");
    // The same lines stand in the listing, each before its instruction.
    long clock = Long.parseLong(found("^ *(\\d+) .*at fib rdi=12$", data).getFirst().group(1));
    List<String> listing =
        print("--instructions", "--from", "" + clock, "--to", "" + (clock + 1)).lines().toList();
    assertThat(listing.getFirst()).endsWith("at fib rdi=12");
    assertThat(listing.get(1)).contains("nested fib");
  }

  /** The program makes them. */
  private static List<Long> numbersThatAreSorted() {
    List<Long> numbers = new ArrayList<>();
    int seed = 12345;
    for (int i = 0; i < 500; i++) {
      seed = seed * 1103515245 + 12345;
      numbers.add((long) (seed >>> 8));
    }
    return numbers;
  }

  @Test
  void whoIsSwitchedToWasReady() throws Exception {
    machine("replay", "-q", "--ready", recording.toString());
    String ready = print("--data");
    assertThat(found("ready: .*nested/\\d+", ready)).isNotEmpty();
    // A thread that is switched to by the scheduler is in one of its queues.
    List<String> names =
        found("^ +\\d+ +(\\d+/\\d+) +ready: (.*)$", ready).stream().map(m -> m.group(2)).toList();
    assertThat(names).isNotEmpty().doesNotContain("none");
    assertThat((long) names.size()).isGreaterThanOrEqualTo(switches());
  }

  /** How often is switched; a slow machine's recording has more lines than fit into memory. */
  private static long switches() throws Exception {
    Process print =
        Kymo.start(shared, Map.of(), "print", "--instructions", "--csv", recording.toString());
    long switches;
    try (Stream<String> lines = print.inputReader().lines()) {
      switches = lines.filter(line -> line.contains(",switch,")).count();
    }
    assertThat(print.waitFor()).isZero();
    return switches;
  }

  @Test
  void memoryIsWhatInstructionsLoadAndStore() throws Exception {
    long begin = clockOfFib();
    String range = Long.toString(begin + 100_000);
    machine(
        "replay",
        "-q",
        "--registers",
        "--memory",
        "--from",
        Long.toString(begin),
        "--to",
        range,
        recording.toString());
    String listing = print("--instructions", "--from", Long.toString(begin), "--to", range);
    Map<String, String> now = new HashMap<>();
    Pattern instruction =
        Pattern.compile(
            "^ *\\d+ +\\d+/\\d+ +[0-9a-f]+  [0-9a-f]+ +(\\S+) (.*?)  +\\S+ \\S+?(?:  ((?:load|store) .*?))?(?:  ?((?:r\\w+=\\w+ ?)+))?$");
    int loads = 0;
    int stores = 0;
    int pushes = 0;
    for (String line : listing.lines().toList()) {
      Matcher parts = instruction.matcher(line);
      if (!parts.matches()) {
        continue;
      }
      String memory = parts.group(3) == null ? "" : parts.group(3);
      Map<String, String> changed = new HashMap<>();
      found("(r\\w+)=(\\w+)", parts.group(4) == null ? "" : parts.group(4))
          .forEach(m -> changed.put(m.group(1), m.group(2)));
      Function<String, String> after = r -> changed.getOrDefault(r, now.getOrDefault(r, ""));
      String words = parts.group(1) + " " + parts.group(2);
      Matcher load = Pattern.compile("movq -?(?:0x)?\\w*\\(%(r\\w+)\\), %(r\\w+)").matcher(words);
      Matcher store = Pattern.compile("movq %(r\\w+), \\(%(r\\w+)\\)").matcher(words);
      Matcher push = Pattern.compile("pushq %(r\\w+)").matcher(words);
      if (load.matches() && !after.apply(load.group(2)).isEmpty()) {
        assertThat(memory).as(line).endsWith("=" + after.apply(load.group(2)));
        loads++;
      } else if (store.matches()
          && now.containsKey(store.group(1))
          && now.containsKey(store.group(2))) {
        assertThat(memory)
            .as(line)
            .isEqualTo("store 8 %s=%s".formatted(now.get(store.group(2)), now.get(store.group(1))));
        stores++;
      } else if (push.matches() && now.containsKey(push.group(1))) {
        assertThat(memory)
            .as(line)
            .isEqualTo("store 8 %s=%s".formatted(after.apply("rsp"), now.get(push.group(1))));
        pushes++;
      } else if (words.startsWith("nop")) {
        assertThat(memory).as(line).isEmpty();
      }
      now.putAll(changed);
    }
    assertThat(loads).isGreaterThan(500);
    assertThat(stores).isGreaterThan(10);
    assertThat(pushes).isGreaterThan(1000);
  }

  private static long clockOfFib() throws Exception {
    machine("replay", "-q", "--at", "fib", recording.toString());
    return Long.parseLong(found("^ *(\\d+) .*at fib", print("--data")).getFirst().group(1));
  }

  @Test
  void registersAreThoseThatGdbShows() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "skipped: gdb is not installed");
    String all = String.join(",", REGISTERS);
    machine(
        "replay",
        "-q",
        "--at",
        "fib+0",
        "--data",
        all,
        "--at",
        "compare+0",
        "--data",
        all,
        recording.toString());
    List<String> ours =
        found("at (?:fib|compare)\\+0 (.*)$", print("--data")).stream()
            .map(m -> m.group(1))
            .limit(STOPS)
            .toList();
    assertThat(ours).hasSize(STOPS);
    // The first program may have code at the same address.
    assertThat(Collections.indexOfSubList(gdb(), ours)).isNotNegative();
  }

  /** The registers at the first calls of the program's two functions. */
  private List<String> gdb() throws Exception {
    Path socket = folder.resolve("gdb");
    Process machine =
        Kymo.start(
            folder,
            Map.of(),
            "machine",
            "replay",
            "--gdb",
            socket.toString(),
            recording.toString());
    try {
      String said = machine.errorReader().readLine();
      assertThat(said).contains("the machine waits for gdb: gdb ");
      while (machine.isAlive() && !Files.exists(socket)) {
        Thread.sleep(10);
      }
      String format =
          List.of(REGISTERS).stream().map(r -> r + "=%lx").collect(Collectors.joining(" "));
      String values =
          List.of(REGISTERS).stream().map(r -> "$" + r).collect(Collectors.joining(", "));
      Path script = folder.resolve("script");
      Files.writeString(
          script,
          """
          set pagination off
          set confirm off
          file %s
          target remote %s
          hbreak *fib
          hbreak *compare
          set $n = 0
          while $n < %d
            continue
            printf "at %s\\n", %s
            set $n = $n + 1
          end
          kill
          """
              .formatted(shared.resolve("nested"), socket, STOPS + MORE, format, values));
      Kymo.Result shown = Kymo.exec(folder, "gdb", "-q", "-nx", "-batch", "-x", script.toString());
      assertThat(machine.waitFor(600, TimeUnit.SECONDS)).isTrue();
      return found("^at (.*)$", shown.out()).stream().map(m -> asOurs(m.group(1))).toList();
    } finally {
      machine.destroy();
      machine.waitFor();
      assertThat(socket).doesNotExist();
    }
  }

  /** Small numbers are decimal in a listing. */
  private static String asOurs(String registers) {
    return Pattern.compile("=([0-9a-f]+)")
        .matcher(registers)
        .replaceAll(m -> {
          long value = Long.parseUnsignedLong(m.group(1), 16);
          return value > -4096 && value < 65536 ? "=" + value : "=0x" + m.group(1);
        });
  }

  @Test
  void whatCannotBeWantedIsSaid() throws Exception {
    assertThat(refusal("--at", "fib", "--data", "edi")).contains("not a value: --data edi");
    assertThat(refusal("--at", "no_such")).contains("no function of that name was executed");
    assertThat(refusal("--at", "libc.so.6:fib")).contains("no function of that name was executed");
    assertThat(refusal("--memory")).contains("give the range");
    assertThat(refusal()).contains("give what is to be added");
    assertThat(refusal("--ready", "--plugin", "x.so")).contains("give what is to be added");
  }

  private static String refusal(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("machine", "replay"));
    words.addAll(List.of(options));
    words.add(recording.toString());
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isEqualTo(2);
    return result.err();
  }
}
