package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.e2e.kit.Uftrace;
import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Functions of programs that are built with -finstrument-functions and know nothing of Kymo: {@code
 * functions.c} counts its own calls.
 */
@Tag("native")
class FunctionsTest {
  private static final Path SOURCE = Path.of("src/native/functions.c").toAbsolutePath();

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("calls.kymo");
  }

  private Path compile(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("-finstrument-functions"));
    all.addAll(List.of(options));
    return NativePrograms.compile(SOURCE, folder.resolve("program"), all.toArray(String[]::new));
  }

  private Kymo.Result record(List<String> options, Path program, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--when-full", "block"));
    all.addAll(options);
    all.addAll(List.of("-o", recording().toString(), "--", program.toString()));
    all.addAll(List.of(arguments));
    return Kymo.run(all.toArray(String[]::new));
  }

  private static Map<String, Long> said(String out) {
    Map<String, Long> counts = new TreeMap<>();
    for (String line : out.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (!words[1].equals("0")) {
        counts.put(words[0], Long.parseLong(words[1]));
      }
    }
    return counts;
  }

  private static Map<String, Long> withoutFrame(Recorded recorded) {
    Map<String, Long> calls = new TreeMap<>(recorded.calls);
    calls.keySet().removeAll(List.of("main", "after"));
    return calls;
  }

  @ParameterizedTest
  @CsvSource({
    "calls 3000, ''",
    "calls 3000, -O0 -no-pie",
    "calls 3000, -Os -s -rdynamic",
    "jumps 20, ''",
    "jumps 20, -D_FORTIFY_SOURCE=2",
    "threads 20 300, ''",
    "stacks 10, ''",
    "deep 150000 0, ''"
  })
  void everyCallOnce(String arguments, String options) throws Exception {
    Path program = options.isEmpty() ? compile() : compile(options.split(" "));
    Kymo.Result result = record(List.of(), program, arguments.split(" "));
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isEqualTo(3);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(withoutFrame(recorded)).isEqualTo(said(result.out()));
      assertThat(recorded.calls("main")).isEqualTo(1);
      assertThat(recorded.unbalanced).isEmpty();
      if (arguments.startsWith("jumps")) {
        assertThat(recorded.unwound).isEqualTo(Map.of("deep", 80L, "throws", 40L, "handler", 40L));
      }
    }
    assertThat(Kymo.run("info", recording().toString()).out())
        .containsPattern("(?m)^lost +0 events")
        .containsPattern("(?m)^oddities +0");
  }

  @Test
  void handlersThatInterruptHooks() throws Exception {
    Kymo.Result result = record(List.of(), compile(), "signals", "500");
    long calls = said(result.out()).values().stream().mapToLong(count -> count).sum() + 2;
    // Do not compare call by call: some of them begin and end in the same nanosecond.
    assertThat(Kymo.run("info", recording().toString()).out())
        .contains("%d enter, %d leave, 0 unwind, ".formatted(calls, calls))
        .containsPattern("(?m)^lost +0 events")
        .containsPattern("(?m)^unmatched +0 leaves without enter, 0 enters without leave, 0 open");
  }

  @Test
  void contextsAreThreadsOfTheirOwn() throws Exception {
    record(List.of(), compile(), "stacks", "5");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.tracks()).hasSize(7); // three contexts, twice
      assertThat(recorded.tracks().stream().filter(t -> t.name().startsWith("context 0x")))
          .hasSize(6);
    }
  }

  @Test
  void childrenGoOnInTheMiddleOfTheirParentsCalls() throws Exception {
    Kymo.Result result = record(List.of(), compile(), "forks", "100");
    assertThat(result.exit()).isEqualTo(3);
    Map<String, Long> expected = said(result.out());
    try (Recorded recorded = new Recorded(recording())) {
      // The child that exits calls the functions that every process calls at its end.
      expected.merge("leaf", 1L, Long::sum);
      assertThat(withoutFrame(recorded)).isEqualTo(expected);
      assertThat(recorded.calls("after")).isEqualTo(2);
      assertThat(recorded.calls("main")).isEqualTo(5);
      assertThat(recorded.unbalanced).containsOnlyKeys("main 4");
    }
    assertThat(Kymo.run("info", recording().toString()).out().lines())
        .filteredOn(line -> line.startsWith("process "))
        .hasSize(5);
  }

  @ParameterizedTest
  @CsvSource({"2, 5", "3, 6", "4, 134", "5, 137"})
  void endsInTheMiddle(String how, int exit) throws Exception {
    assertThat(record(List.of(), compile(), "deep", "40", how).exit()).isEqualTo(exit);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("deep")).isEqualTo(41);
      assertThat(recorded.calls("main")).isEqualTo(1);
      assertThat(recorded.unbalanced).isEqualTo(Map.of("deep 4", 41L, "main 4", 1L));
    }
  }

  @Test
  void someAreLeftOut() throws Exception {
    record(List.of("--exclude", "le*", "--exclude", "deep"), compile(), "jumps", "20");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls)
          .containsOnlyKeys("main", "after", "middle", "handler", "throws", "tries");
      assertThat(recorded.unbalanced).isEmpty();
    }
  }

  @Test
  void someAreChosen() throws Exception {
    record(List.of("--include", "deep", "--include", "t*s"), compile(), "jumps", "20");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls).isEqualTo(Map.of("deep", 80L, "throws", 40L, "tries", 1L));
    }
  }

  @Test
  void linkedInsteadOfPreloaded() throws Exception {
    List<String> options = new ArrayList<>(List.of(NativePrograms.shared()));
    options.add("-finstrument-functions-exclude-function-list=leaf");
    Path program = compile(options.toArray(String[]::new));
    record(List.of(), program, "calls", "100");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls).isEqualTo(Map.of("main", 1L, "after", 1L, "middle", 100L));
    }
  }

  @Test
  void othersCountTheSame() throws Exception {
    Path program = compile();
    Map<String, Long> theirs = Uftrace.calls(folder, List.of(program.toString(), "calls", "2000"));
    record(List.of(), program, "calls", "2000");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(theirs).hasSizeGreaterThan(3);
      assertThat(new TreeMap<>(recorded.calls)).isEqualTo(theirs);
    }
  }

  @Test
  void sanitizersFindNothing() throws Exception {
    NativePrograms.assumeInstalled();
    Path sources = SourceTree.path("recording/native").toAbsolutePath().normalize();
    Path built = folder.resolve("sanitized");
    Kymo.Result make =
        Kymo.exec(
            sources,
            "make",
            "-s",
            "-j2",
            "SANITIZE=address,undefined",
            "CFLAGS=-O1 -g",
            "OUT=" + built);
    assertThat(make.exit()).as(make.err()).isZero();
    Path program =
        compile(
            "-g",
            "-Wno-clobbered",
            "-fsanitize=address,undefined",
            "-L" + built,
            "-lkymo",
            "-Wl,-rpath," + built);
    for (String arguments : List.of("calls 300", "jumps 20", "threads 20 50", "forks 10")) {
      Kymo.Result result =
          record(
              List.of(),
              Path.of("/usr/bin/env"),
              ("-u LD_PRELOAD ASAN_OPTIONS=detect_leaks=0 " + program + " " + arguments)
                  .split(" "));
      assertThat(result.err()).isEmpty();
      assertThat(result.exit()).isEqualTo(3);
      assertThat(Kymo.run("info", recording().toString()).out())
          .containsPattern("(?m)^unmatched +0 leaves without enter, 0 enters without leave");
      Kymo.exec(folder, "rm", "-r", recording().toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"calls 300", "jumps 20", "threads 5 10", "stacks 5", "forks 10"})
  void valgrindFindsNothing(String arguments) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/valgrind")),
        "skipped: valgrind is not installed, it was not asked");
    Kymo.Result result =
        record(
            List.of(),
            Path.of("/usr/bin/valgrind"),
            ("-q --error-exitcode=9 " + compile("-g") + " " + arguments).split(" "));
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isEqualTo(3);
    assertThat(Kymo.run("info", recording().toString()).out())
        .containsPattern("(?m)^unmatched +0 leaves without enter, 0 enters without leave");
  }

  private Path library(String name, String function) throws Exception {
    Path source =
        Files.writeString(
            folder.resolve(name + ".c"),
            """
            int %1$s(int i);
            __attribute__((noinline)) int %1$s(int i) { return i * 3; }
            int entry(int i);
            int entry(int i) { return %1$s(i) + 1; }
            __attribute__((constructor)) static void constructor(void) { %1$s(1); }
            """
                .formatted(function));
    return NativePrograms.compile(
        source, folder.resolve(name), "-finstrument-functions", "-fPIC", "-shared");
  }

  @Test
  void librariesThatComeAndGo() throws Exception {
    NativePrograms.assumeInstalled();
    Path one = library("one.so", "first");
    Path two = library("two.so", "second");
    Path source =
        Files.writeString(
            folder.resolve("loads.c"),
            """
            #include <dlfcn.h>
            int main(int count, char **files) {
              int sum = 0;
              for (int i = 0; i < 10; i++) {
                void *library = dlopen(files[1 + i % (count - 1)], RTLD_NOW);
                int (*entry)(int) = (int (*)(int)) dlsym(library, "entry");
                for (int k = 0; k < 10; k++) {
                  sum += entry(k);
                }
                dlclose(library);
              }
              return sum == 0;
            }
            """);
    Path program =
        NativePrograms.compile(
            source, folder.resolve("loads"), "-finstrument-functions", "-Wno-pedantic", "-ldl");
    assertThat(record(List.of(), program, one.toString(), two.toString()).exit()).isZero();
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, Long> expected = new TreeMap<>(Map.of("main", 1L));
      for (String name : List.of("one.so", "two.so")) {
        expected.put(name + ".constructor", 5L);
        expected.put(name + ".entry", 50L);
        expected.put(name + (name.equals("one.so") ? ".first" : ".second"), 55L);
      }
      assertThat(new TreeMap<>(recorded.calls)).isEqualTo(expected);
    }
    assertThat(Kymo.run("report", recording().toString(), "--csv").out().lines())
        .as("one row for a function, also if it was loaded five times")
        .hasSize(8);
  }

  @Test
  void exceptionsEndCalls() throws Exception {
    NativePrograms.assumeInstalled();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/g++")), "skipped: g++ is not installed");
    Path program = folder.resolve("throws");
    Path source = Files.writeString(folder.resolve("throws.cc"), CPP);
    Kymo.Result compiled =
        Kymo.exec(
            folder,
            "g++",
            "-O2",
            "-g",
            "-finstrument-functions",
            "-o",
            program.toString(),
            source.toString());
    assertThat(compiled.err()).isEmpty();
    assertThat(record(List.of(), program).out()).isEqualTo("300 8 3\n");
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.unbalanced).isEmpty();
      assertThat(recorded.calls.values().stream().mapToLong(calls -> calls).sum())
          .isEqualTo(recorded.total);
      assertThat(recorded.calls("shop::Cart::add")).isEqualTo(902);
      assertThat(recorded.calls("shop::Cart::~Cart")).isEqualTo(902);
      assertThat(recorded.calls("middle")).isEqualTo(902);
      assertThat(recorded.calls("int shop::Cart::twice<int>")).isZero();
      assertThat(recorded.calls("shop::Cart::twice<int>")).isEqualTo(1);
      assertThat(recorded.calls("shop::Cart::twice<double>")).isEqualTo(1);
    }
  }

  private static final String CPP =
      """
      #include <cstdio>
      #include <stdexcept>
      #define FUNCTION __attribute__((noinline))
      namespace shop {
        struct Cart {
          int n = 0;
          FUNCTION void add(int i);
          FUNCTION ~Cart() { n = 0; }
          template <class T> FUNCTION T twice(T t) { return t + t; }
        };
      }
      FUNCTION void shop::Cart::add(int i) {
        n += i;
        if (i % 3 == 0) {
          throw std::runtime_error("third");
        }
      }
      FUNCTION void middle(int i) {
        shop::Cart cart;
        cart.add(i);
      }
      FUNCTION void passes(int i) {
        try {
          middle(i);
        } catch (std::exception &e) {
          throw;
        }
      }
      struct Before {
        Before() { middle(1); }
        ~Before() { middle(2); }
      } before;
      int main() {
        int caught = 0;
        for (int i = 1; i <= 900; i++) {
          try {
            passes(i);
          } catch (...) {
            caught++;
          }
        }
        shop::Cart *cart = new shop::Cart;
        std::printf("%d %d %g\\n", caught, cart->twice(4), cart->twice(1.5));
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"statically linked", "set-user-id"})
  void whatCannotBePreloaded(String how) throws Exception {
    Path program = how.startsWith("set") ? compile() : compile("-static");
    if (how.startsWith("set")) {
      // For its owner it would be an ordinary program.
      assumeTrue(
          Kymo.exec(folder, "chown", "65534", program.toString()).exit() == 0,
          "skipped: only root can make a program of another user's");
      Kymo.exec(folder, "chmod", "u+s", program.toString());
    }
    Kymo.Result result = record(List.of(), program, "calls", "1");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.err())
        .isEqualTo(
            "kymo: nothing recorded: the program is "
                + how
                + ", so libkymo cannot be preloaded: "
                + program
                + " calls 1\n");
  }
}
