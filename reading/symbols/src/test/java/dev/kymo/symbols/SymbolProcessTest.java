package dev.kymo.symbols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SymbolProcessTest {
  private static final SymbolProcess.Answer PLAIN = new SymbolProcess.Answer("f", "(int)", "", 0);

  @TempDir Path directory;

  private static void assumeLibdw() {
    assumeTrue(DebugFiles.open() != null, "skipped: libdw is not installed");
  }

  private static SymbolProcess.Answer answer(
      String name, String parameters, String file, int line) {
    return new SymbolProcess.Answer(name, parameters, file, line);
  }

  @Test
  void namesFilesAndLines() throws Exception {
    assumeLibdw();
    NativeFiles files = new NativeFiles(directory);
    String path = files.program.toString();
    String build = files.buildId();
    long twice = files.address(NativeFiles.TWICE);
    long hidden = files.address(NativeFiles.HIDDEN);
    long plain = files.address("c_function");
    try (SymbolProcess symbols = new SymbolProcess()) {
      assertThat(symbols.ask(path, build, twice, NativeFiles.TWICE))
          .isEqualTo(answer("ns::twice<int>", "(int)", files.source(), 2));
      assertThat(symbols.ask(path, build, hidden, NativeFiles.HIDDEN))
          .isEqualTo(answer("ns::hidden", "(int, char const*)", files.source(), 5));
      assertThat(symbols.ask(path, build, plain, "c_function"))
          .isEqualTo(answer("c_function", "", files.source(), 9));
      assertThat(symbols.ask(path, "ab" + build, plain, "c_function"))
          .as("another file")
          .isEqualTo(answer("c_function", "", "", 0));
      assertThat(symbols.ask("/no/such/file", "", plain, NativeFiles.HIDDEN))
          .isEqualTo(answer("ns::hidden", "(int, char const*)", "", 0));
    }
  }

  @Test
  void strippedProgramsHaveTheirDebugFiles() throws Exception {
    assumeLibdw();
    NativeFiles files = new NativeFiles(directory);
    String path = files.program.toString();
    long hidden = files.address(NativeFiles.HIDDEN);
    files.run("objcopy", "--only-keep-debug", path, "apart.dbg");
    files.run("strip", path);
    String vague = "0x" + Long.toHexString(hidden);
    try (SymbolProcess symbols = new SymbolProcess()) {
      assertThat(symbols.ask(path, files.buildId(), hidden, vague))
          .isEqualTo(answer(vague, "", "", 0));
    }
    files.run("objcopy", "--add-gnu-debuglink=apart.dbg", path);
    try (SymbolProcess symbols = new SymbolProcess()) {
      assertThat(symbols.ask(path, files.buildId(), hidden, vague))
          .isEqualTo(answer("ns::hidden", "(int, char const*)", files.source(), 5));
      assertThat(symbols.ask(path, files.buildId(), hidden + 2, "_ZN1aEv+0x2"))
          .isEqualTo(answer("a+0x2", "", files.source(), 5));
      assertThat(symbols.ask(path, files.buildId(), hidden + 1, "0x7"))
          .isEqualTo(answer("ns::hidden+0x1", "", files.source(), 5));
    }
  }

  /** Each answer has at least the name, whatever the file is. */
  @Test
  void damagedFiles() throws Exception {
    NativeFiles files = new NativeFiles(directory);
    byte[] whole = Files.readAllBytes(files.program);
    String build = files.buildId();
    long hidden = files.address(NativeFiles.HIDDEN);
    Random random = new Random(11);
    try (SymbolProcess symbols = new SymbolProcess()) {
      for (int i = 0; i < 200; i++) {
        byte[] damaged = whole.clone();
        for (int n = 0; n < 40; n++) {
          damaged[0x400 + random.nextInt(whole.length - 0x400)] = (byte) random.nextInt();
        }
        Path file = Files.write(directory.resolve("damaged" + i), damaged);
        SymbolProcess.Answer answer =
            symbols.ask(file.toString(), build, hidden, NativeFiles.HIDDEN);
        assertThat(answer).isNotNull();
        assertThat(answer.name()).isEqualTo("ns::hidden");
      }
    }
  }

  private static List<String> shell(String script) {
    return List.of("sh", "-c", script);
  }

  @Test
  void aServerThatIsStartedAheadIsTheOneThatIsAsked() {
    Path started = directory.resolve("started");
    String script =
        "echo x >>'%s'; while read -r q; do printf 'f\\t(int)\\t\\t0\\n'; done".formatted(started);
    try (SymbolProcess symbols = new SymbolProcess(shell(script), 20_000)) {
      symbols.startAhead();
      symbols.startAhead();
      assertThat(symbols.ask("/file", "", 1, "f")).isEqualTo(PLAIN);
      assertThat(symbols.ask("/file", "", 2, "f")).isEqualTo(PLAIN);
    }
    assertThat(started).hasContent("x");
  }

  @Test
  void aServerThatHardlyGetsAProcessorIsWaitedFor() {
    String slow =
        "while read -r q; do for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do"
            + " n=0; while [ $n -lt 10000 ]; do n=$((n + 1)); done; sleep 0.2; done;"
            + " printf 'f\\t(int)\\t\\t0\\n'; done";
    try (SymbolProcess symbols = new SymbolProcess(shell(slow), 3_000)) {
      assertThat(symbols.ask("/file", "", 1, "f")).isEqualTo(PLAIN);
    }
  }

  @Test
  void aServerThatOthersKeepFromTheProcessorsIsReplacedWhenSomebodyWaits() throws Exception {
    String niced =
        "while read -r q; do case $(nice) in 19) exec sleep 600;;"
            + " *) printf 'f\\t(int)\\t\\t0\\n';; esac; done";
    try (SymbolProcess symbols = SymbolProcess.inBackground(shell(niced), 500_000)) {
      Thread end = new Thread(symbols::hurry);
      symbols.startAhead();
      end.start();
      assertThat(symbols.ask("/file", "", 1, "f")).isEqualTo(PLAIN);
      assertThat(symbols.ask("/file", "", 2, "f")).isEqualTo(PLAIN);
      end.join();
    }
  }

  /** Only one file kills it. */
  @Test
  void aServerThatDiesIsNotAskedAboutTheSameFileAgain() {
    String script =
        "while read -r q; do case $q in /bad*) kill -SEGV $$;; *) printf 'f\\t(int)\\t\\t0\\n';;"
            + " esac; done";
    try (SymbolProcess symbols = new SymbolProcess(shell(script), 20_000)) {
      for (int i = 0; i < 20; i++) {
        assertThat(symbols.ask("/good", "", i, "f")).isEqualTo(PLAIN);
        assertThat(symbols.ask("/bad", "", i, "f")).isEqualTo(PLAIN);
      }
    }
  }

  @Test
  void aServerThatIsSilentOrTalksNonsenseIsGivenUp() {
    try (SymbolProcess symbols = new SymbolProcess(shell("exec sleep 1000"), 50)) {
      for (int i = 0; i < 20; i++) {
        assertThat(symbols.ask("/file" + i, "", i, "f")).isNull();
      }
    }
    try (SymbolProcess symbols =
        new SymbolProcess(shell("while read q; do echo x; done"), 20_000)) {
      assertThat(symbols.ask("/file", "", 1, "f")).isNull();
    }
    try (SymbolProcess symbols = new SymbolProcess(List.of("/no/such/program"), 20_000)) {
      assertThat(symbols.ask("/file", "", 1, "f")).isNull();
    }
  }
}
