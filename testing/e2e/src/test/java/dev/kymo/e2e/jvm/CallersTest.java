package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The callers of the thread library: function, file and line. */
@Tag("native")
class CallersTest {
  private static final Path C = Path.of("src/native/callers.c").toAbsolutePath();
  private static final Path CPP = Path.of("src/native/callers.cc").toAbsolutePath();

  @TempDir Path folder;

  @BeforeEach
  void isThere() {
    NativePrograms.assumeInstalled();
    assumeTrue(
        Files.isRegularFile(NativePrograms.LIBRARY.resolve("libkymo-threads.so")),
        "skipped: libkymo-threads was not built, it is for x86-64 and ARM64");
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path program(String... options) throws Exception {
    return NativePrograms.compile(C, folder.resolve("callers"), options);
  }

  private Path recording() {
    return folder.resolve("callers.kymo");
  }

  private void record(Object... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--threads", "-o"));
    all.addAll(List.of(recording().toString(), "--"));
    for (Object word : command) {
      all.add(word.toString());
    }
    Kymo.Result result = Kymo.run(all.toArray(String[]::new));
    assertThat(result).isEqualTo(new Kymo.Result(0, "done\n", ""));
  }

  private static String read(Path recording, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(recording.toString());
    Kymo.Result result = Kymo.run(all.toArray(String[]::new));
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    return result.out();
  }

  /** Number of the line with a text. */
  private static int line(Path source, String text) throws Exception {
    List<String> lines = Files.readAllLines(source);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(text)) {
        return i + 1;
      }
    }
    throw new AssertionError("not in " + source + ": " + text);
  }

  private static void hasPlace(String json, String function, Path source, String text)
      throws Exception {
    assertThat(json.replaceAll("\\s+", " "))
        .contains(
            "\"function\" : \"%s\", \"file\" : \"%s\", \"line\" : %d"
                .formatted(function, source, line(source, text)));
  }

  @Test
  void aProgramInC() throws Exception {
    record(program("-g"));
    int waits = line(C, "/* waits */");
    int holds = line(C, "/* holds */");
    assertThat(read(recording(), "report", "--locks"))
        .containsPattern("callers/\\d: use_queue \\(callers.c:%d\\)\n".formatted(waits))
        .containsPattern("callers/1: hold_queue \\(callers.c:%d\\)\n".formatted(holds));
    String json = read(recording(), "report", "--locks", "--json");
    hasPlace(json, "use_queue", C, "/* waits */");
    hasPlace(json, "hold_queue", C, "/* holds */");
    int makes = line(C, "/* makes */");
    String created =
        " caller=main (callers.c:%d) result=0 start=waiter (callers.c:".formatted(makes);
    assertThat(read(recording(), "print")).contains(created);
    Path slice = folder.resolve("slice.kymo");
    read(recording(), "slice", "--from", "0", "--to", "1000s", "-o", slice.toString());
    assertThat(read(slice, "print")).contains(created);
  }

  @Test
  void aProgramInCpp() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/g++")), "skipped: g++ is not installed");
    Path program = folder.resolve("callers");
    String[] compiler = {"g++", "-g", "-O2", "-pthread", "-o", program.toString(), CPP.toString()};
    assertThat(Kymo.exec(folder, compiler).err()).isEmpty();
    record(program);

    String json = read(recording(), "report", "--locks", "--json");
    hasPlace(json, "shop::Queue::use", CPP, "// waits");
    hasPlace(json, "shop::Queue::inlined", CPP, "// holds");
  }

  @Test
  void aProgramWithoutSymbols() throws Exception {
    record(program("-s"));
    assertThat(read(recording(), "report", "--locks"))
        .containsPattern("callers/\\d: callers\\+0x[0-9a-f]{4}\n")
        .containsPattern("callers/1: callers\\+0x[0-9a-f]{4}\n");
  }

  /** Addresses of unloaded code are asked for again: other code may be there. */
  @Test
  void librariesThatComeAndGo() throws Exception {
    Path one = library("one");
    Path two = library("two");
    record(program("-g", "-ldl"), one, "one", two, "two", one, "one", two, "two");
    Matcher caller =
        Pattern.compile("pthread.mutex_lock .* caller=(\\S+)").matcher(read(recording(), "print"));
    List<String> callers = new ArrayList<>();
    while (caller.find()) {
      callers.add(caller.group(1));
    }
    // If one library is loaded at the place of the other, the last counts.
    assertThat(callers).hasSize(4).allMatch(name -> name.matches("(one|two).so.(one|two)"));
    assertThat(callers.getLast()).isEqualTo("two.so.two");
  }

  private Path library(String name) throws Exception {
    Path file = folder.resolve(name + ".so");
    return NativePrograms.compile(C, file, "-shared", "-fPIC", "-DNAME=" + name);
  }
}
