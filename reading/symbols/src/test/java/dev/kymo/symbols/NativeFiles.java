package dev.kymo.symbols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A C++ program, and what nm and readelf report of it. */
final class NativeFiles {
  static final String SOURCE =
      """
      namespace ns {
      template <class T> __attribute__((noinline)) T twice(T t) {
        return t + t;
      }
      static __attribute__((noinline, used)) int hidden(int a, char const *b) {
        return a + *b;
      }
      }
      extern "C" int c_function(int a) {
        return ns::hidden(a, "b");
      }
      int main() { return ns::twice(21) + c_function(1); }
      """;

  static final String TWICE = "_ZN2ns5twiceIiEET_S1_";
  static final String HIDDEN = "_ZN2nsL6hiddenEiPKc";

  private final Path directory;
  final Path program;

  NativeFiles(Path directory, String... options) throws Exception {
    this.directory = directory;
    this.program = directory.resolve("program");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/g++")), "skipped: g++ is not installed");
    Path source = Files.writeString(directory.resolve("program.cc"), SOURCE);
    run("g++", "-g", "-o", program.toString(), source.toString());
    for (String option : options) {
      run(option.split(" "));
    }
  }

  String run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(List.of(command) + "\n" + out).isZero();
    return out;
  }

  String source() {
    return directory.resolve("program.cc").toString();
  }

  String buildId() throws Exception {
    return run("readelf", "-n", program.toString()).split("Build ID: ")[1].split("\n")[0].trim();
  }

  /** Address of the first call in a function. */
  long call(String symbol) throws Exception {
    return run("objdump", "-d", "--disassemble=" + symbol, program.toString())
        .lines()
        .filter(line -> line.matches(".*\\scall\\s.*"))
        .mapToLong(line -> Long.parseLong(line.strip().split(":")[0], 16))
        .findFirst()
        .orElseThrow();
  }

  long address(String symbol) throws Exception {
    return run("nm", program.toString())
        .lines()
        .filter(line -> line.endsWith(" " + symbol))
        .mapToLong(line -> Long.parseLong(line.split(" ")[0], 16))
        .findFirst()
        .orElseThrow();
  }
}
