package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Uftrace;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Third-party C programs with every function recorded give their known answers with balanced calls;
 * uftrace counts the same.
 */
@Tag("peer")
@Tag("peers")
class NativePeersTest {
  private static final Path FETCH = Path.of("src/native/fetch").toAbsolutePath();
  private static final Path FETCHED = Path.of("target/fetched").toAbsolutePath();

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private static Path fetch(String name) throws Exception {
    NativePrograms.assumeInstalled();
    Kymo.Result result = Kymo.exec(Path.of("."), FETCH.toString(), FETCHED.toString(), name);
    assumeTrue(result.exit() == 0, "skipped: the sources cannot be fetched: " + name);
    return Path.of(result.out().strip());
  }

  /** Compiles all of a program at once, with hooks. */
  private Path compile(String name, List<Path> sources, String... options) throws Exception {
    Path program = folder.resolve(name);
    List<String> command = new ArrayList<>(List.of("gcc", "-O1", "-w", "-g"));
    command.addAll(List.of("-finstrument-functions", "-o", program.toString()));
    sources.forEach(source -> command.add(source.toString()));
    command.addAll(List.of(options));
    Kymo.Result result = Kymo.exec(folder, command.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return program;
  }

  private static List<Path> sources(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".c")).sorted().toList();
    }
  }

  /** Records a program; returns its calls, which are whole. */
  private Map<String, Long> calls(String name, String out, List<String> command) throws Exception {
    Path recording = folder.resolve(name + ".kymo");
    List<String> all = new ArrayList<>(List.of("record", "-q", "--when-full", "block"));
    all.addAll(List.of("-o", recording.toString(), "--"));
    all.addAll(command);
    assertThat(Kymo.run(all.toArray(String[]::new))).isEqualTo(new Kymo.Result(0, out, ""));
    assertThat(Kymo.run("info", recording.toString()).out())
        .containsPattern("(?m)^lost +0 events")
        .containsPattern("(?m)^unmatched +0 leaves without enter, 0 enters without leave, 0 open")
        .containsPattern("(?m)^oddities +0");
    Map<String, Long> calls = new TreeMap<>();
    for (String line : Kymo.run("report", recording.toString(), "--csv").out().lines().toList()) {
      String[] cells = line.split(",", -1);
      if (!cells[0].equals("method")) {
        calls.merge(cells[0], Long.parseLong(cells[5]), Long::sum);
      }
    }
    return calls;
  }

  @Test
  void lua() throws Exception {
    Path lua = fetch("lua").resolve("src");
    List<Path> sources = new ArrayList<>(sources(lua));
    sources.remove(lua.resolve("luac.c"));
    // Otherwise its tables are in another order each time.
    Path program =
        compile("lua", sources, "-DLUA_USE_LINUX", "-Dluai_makeseed(L)=7", "-lm", "-ldl");
    Path script = folder.resolve("fib.lua");
    Files.writeString(
        script,
        """
        local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
        print(fib(24))
        for i = 1, 20 do assert(not pcall(error, i)) end
        local next = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
        print(next() + next() + next())
        """);
    List<String> command = List.of(program.toString(), script.toString());
    Map<String, Long> calls = calls("lua", "46368\n6\n", command);
    assertThat(calls)
        .containsEntry("luaD_throw", 23L) // and three yields
        .containsKey("luaV_execute");
    Map<String, Long> theirs = Uftrace.calls(folder, command);
    assertThat(theirs).hasSizeGreaterThan(300);
    assertThat(different(calls, theirs)).isEmpty();
  }

  /** Hundreds of lines would help nobody. */
  private static Map<String, String> different(Map<String, Long> ours, Map<String, Long> theirs) {
    Map<String, String> different = new TreeMap<>();
    Stream.concat(ours.keySet().stream(), theirs.keySet().stream())
        .filter(name -> !Objects.equals(ours.get(name), theirs.get(name)))
        .forEach(name -> different.put(name, ours.get(name) + " and not " + theirs.get(name)));
    return different;
  }

  @Test
  void sqlite() throws Exception {
    Path sqlite = fetch("sqlite");
    Path main =
        Files.writeString(
            folder.resolve("main.c"),
            """
            #include <stdio.h>
            #include "sqlite3.h"
            static int row(void *unused, int count, char **values, char **names) {
              puts(values[0]);
              return 0;
            }
            int main(int count, char **arguments) {
              sqlite3 *db;
              return sqlite3_open(":memory:", &db) || sqlite3_exec(db, arguments[1], row, 0, 0)
                  || sqlite3_close(db);
            }
            """);
    Path program =
        compile(
            "sqlite", List.of(sqlite.resolve("sqlite3.c"), main), "-I" + sqlite, "-pthread", "-lm");
    List<String> command = List.of(program.toString(), "select 1");
    Map<String, Long> first = calls("first", "1\n", command);
    assertThat(first).hasSizeGreaterThan(300).containsEntry("sqlite3_exec", 2L);
    assertThat(different(calls("second", "1\n", command), first)).isEmpty();
  }

  @Test
  void pigz() throws Exception {
    Path pigz = fetch("pigz");
    assumeTrue(
        Files.exists(Path.of("/usr/include/zlib.h")), "skipped: zlib1g-dev is not installed");
    List<Path> sources = new ArrayList<>(sources(pigz));
    sources.addAll(sources(pigz.resolve("zopfli/src/zopfli")));
    Path program = compile("pigz", sources, "-lm", "-lz", "-pthread");
    byte[] text = new byte[3_000_000];
    Random random = new Random(7);
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) ('a' + random.nextInt(7));
    }
    Path file = folder.resolve("text");
    Files.write(file, text);
    Map<String, Long> calls =
        calls("pigz", "", List.of(program.toString(), "-p", "4", file.toString()));
    assertThat(calls).containsEntry("compress_thread", 4L).containsEntry("main", 1L);
    try (InputStream back = new GZIPInputStream(Files.newInputStream(folder.resolve("text.gz")))) {
      assertThat(back.readAllBytes()).isEqualTo(text);
    }
  }
}
