package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of instructions of programs, in QEMU's user mode: one in each test's folder. */
@Tag("peer")
public abstract class InstructionRecording {
  public static final Path SOURCES = Path.of("src/native").toAbsolutePath();
  private static final Pattern TOTAL = Pattern.compile("\"instructions\" ?: ?(\\d+)");

  @TempDir Path folder;

  @BeforeEach
  void emulatorIsThere() throws Exception {
    assumeEmulator(folder);
  }

  public static void assumeEmulator(Path folder) throws Exception {
    NativePrograms.assumeInstalled();
    assumeTrue(
        Files.isRegularFile(NativePrograms.LIBRARY.resolve("libkymo-instructions.so")),
        "skipped: libkymo-instructions was not built, this is no x86-64 machine");
    Path emulator = Path.of("/usr/bin/qemu-x86_64");
    assumeTrue(Files.isExecutable(emulator), "skipped: package qemu-user is not installed");
    String version = Kymo.exec(folder, emulator.toString(), "--version").out();
    assumeTrue(version.contains("version 7.2"), "skipped: qemu-user is not version 7.2");
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  final Path recording() {
    return folder.resolve("run.kymo");
  }

  final Path traces() {
    return recording().resolve("instructions");
  }

  final Kymo.Result record(String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "--instructions", "-q", "-o"));
    all.add(recording().toString());
    all.add("--");
    all.addAll(List.of(command));
    return Kymo.runIn(folder, Map.of(), "", all.toArray(String[]::new));
  }

  final Path nested(String... options) throws Exception {
    return NativePrograms.compile(SOURCES.resolve("nested.c"), folder.resolve("nested"), options);
  }

  final long executed() throws Exception {
    String json = Kymo.run("report", "--instructions", "--json", recording().toString()).out();
    Matcher total = TOTAL.matcher(json);
    assertThat(total.find()).as(json).isTrue();
    return Long.parseLong(total.group(1));
  }

  final String info() throws Exception {
    return Kymo.run("info", recording().toString()).out();
  }

  static List<String> files(Path directory) throws Exception {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.map(Path::toString).sorted().toList();
    }
  }
}
