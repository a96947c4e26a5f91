package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How libkymo gets into programs, and what it does in them. */
@Tag("native")
class PreloadTest {
  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("preloaded.kymo");
  }

  private Path compile(String name, String text, String... options) throws Exception {
    Path source = Files.writeString(folder.resolve(name + ".c"), text);
    return NativePrograms.compile(source, folder.resolve(name), options);
  }

  private Kymo.Result record(List<String> options, Path program) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q"));
    all.addAll(options);
    all.addAll(List.of("-o", recording().toString(), "--", program.toString()));
    return Kymo.run(all.toArray(String[]::new));
  }

  /** A shell may start any Java: the clock must be one that all can read. */
  @ParameterizedTest
  @MethodSource("dev.kymo.e2e.kit.Jdk#all")
  void javaOfAnyAgeJoinsWhereAShellsThreadsAreRecorded(Jdk jdk) throws Exception {
    Path script = folder.resolve("start.sh");
    Files.writeString(
        script, "'%s' -cp '%s' OwnCounts 1 0 1\n".formatted(jdk.java(), Programs.CLASSES));
    List<String> command = new ArrayList<>(List.of("record", "-q", "--threads"));
    command.addAll(List.of("--budget", "none", "-o"));
    command.addAll(List.of(recording().toString(), "--", "sh", script.toString()));
    Kymo.Result result = Kymo.run(command.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(result.out()).contains("OwnCounts.small " + recorded.calls("OwnCounts.small"));
    }
  }

  /** The loader runs such a function before the C library knows the environment. */
  @Test
  void functionsThatRunBeforeTheLibraries() throws Exception {
    Path program =
        compile(
            "early",
            """
            void early(void) { __asm__ volatile(""); }
            __attribute__((section(".preinit_array"), used)) static void (*first)(void) = early;
            __attribute__((noinline)) void late(void) { __asm__ volatile(""); }
            int main(void) { late(); return 4; }
            """,
            "-finstrument-functions",
            "-Wno-unused-variable");
    assertThat(record(List.of(), program)).isEqualTo(new Kymo.Result(4, "", ""));
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls).containsEntry("main", 1L).containsEntry("late", 1L);
    }
  }

  private static final String OWN_MALLOC =
      """
      #include <pthread.h>
      #include <stddef.h>
      #include <stdint.h>
      #include <string.h>
      static char arena[1 << 24];
      static size_t used;
      void *malloc(size_t size) {
        size_t at = __atomic_fetch_add(&used, (size + 31) & ~(size_t) 15, __ATOMIC_RELAXED);
        *(size_t *) (arena + at) = size;
        return arena + at + 16;
      }
      void free(void *memory) { (void) memory; }
      void *calloc(size_t count, size_t size) { return malloc(count * size); }
      void *realloc(void *old, size_t size) {
        void *fresh = malloc(size);
        return old == NULL ? fresh : memcpy(fresh, old, size);
      }
      static _Thread_local char large[100000];
      __attribute__((noinline)) static void *work(void *unused) { large[0] = 1; return unused; }
      int main(void) {
        pthread_t other;
        pthread_create(&other, NULL, work, NULL);
        pthread_join(other, NULL);
        return large[1];
      }
      """;

  @Test
  void theLibrarysOwnThreadIsNotInTheRecording() throws Exception {
    Path program =
        compile("allocator", OWN_MALLOC, "-finstrument-functions", "-O1", "-fno-builtin");
    assertThat(record(List.of("--when-full", "block"), program).exit()).isZero();
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.tracks()).extracting(Track::name).doesNotContain("kymo").hasSize(2);
      assertThat(recorded.unbalanced).isEmpty();
    }
  }

  @Test
  void thirtyTwoBitProgramsRunUnrecorded() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("small.c"),
            "void _start(void) { __asm__(\"mov $1, %eax; mov $7, %ebx; int $0x80\"); }");
    Path program = folder.resolve("small");
    NativePrograms.assumeInstalled();
    String[] compiler = {"gcc", "-m32", "-nostdlib", "-static", "-fno-pic", "-no-pie", "-o"};
    List<String> command = new ArrayList<>(List.of(compiler));
    command.addAll(List.of(program.toString(), source.toString()));
    Kymo.Result compiled = Kymo.exec(folder, command.toArray(String[]::new));
    assumeTrue(compiled.exit() == 0, "skipped: gcc -m32 does not work here");
    assumeTrue(runs(program), "skipped: this kernel runs no 32-bit programs");
    for (List<String> options : List.of(List.<String>of(), List.of("--threads"))) {
      assertThat(record(options, program))
          .isEqualTo(
              new Kymo.Result(
                  7,
                  "",
                  "kymo: nothing recorded: the program is a 32-bit program, so libkymo cannot be"
                      + " preloaded: "
                      + program
                      + "\n"));
    }
  }

  private boolean runs(Path program) throws InterruptedException {
    try {
      return Kymo.exec(folder, program.toString()).exit() == 7;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void anInstallationWhosePathHasABlank() throws Exception {
    Path program = compile("plain", "int main(void) { return 6; }", "-finstrument-functions");
    Path installation = folder.resolve("with a blank");
    copy(Kymo.INSTALLATION, installation);
    for (List<String> options : List.of(List.<String>of(), List.of("--threads"))) {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  installation.resolve("lib") + "/*",
                  "dev.kymo.cli.Main",
                  "record",
                  "-q"));
      command.addAll(options);
      Path recording = folder.resolve("blank" + options.size() + ".kymo");
      command.addAll(List.of("-o", recording.toString(), "--", program.toString()));
      Kymo.Result result = Kymo.exec(folder, command.toArray(String[]::new));
      assertThat(result).isEqualTo(new Kymo.Result(6, "", ""));
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("main")).isEqualTo(1);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(path)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(path, to.resolve(from.relativize(path)));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Test
  void nothingIsPreloadedForKernelEventsOnly() throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root")
            && Files.isDirectory(Path.of("/sys/kernel/tracing/events/sched")),
        "skipped: kernel events need root and tracefs");
    String text =
        """
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) { puts(getenv("LD_PRELOAD") == NULL ? "none" : getenv("LD_PRELOAD")); return 0; }
        """;
    Path bare = compile("bare", text);
    Path hooked = compile("hooked", text, "-finstrument-functions");
    List<String> kernel = List.of("--kernel", "cswitch");
    assertThat(record(kernel, bare)).isEqualTo(new Kymo.Result(0, "none\n", ""));
    Kymo.exec(folder, "rm", "-r", recording().toString());
    assertThat(record(List.of(), bare).out()).contains("libkymo.so");
    assertThat(record(kernel, hooked).out()).contains("libkymo.so");
  }

  @Test
  void filesMayNotGrowLarge() throws Exception {
    Path program = compile("limited", "int main(void) { return 3; }", "-finstrument-functions");
    Path script =
        Files.writeString(
            folder.resolve("limited.sh"), "#!/bin/sh\nulimit -f 64\nexec " + program + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Kymo.Result result =
        Kymo.runIn(
            folder, Map.of(), "", "record", "-q", "-o", "limited.kymo", "--", script.toString());
    assertThat(result.exit()).as("not ended by SIGXFSZ").isEqualTo(3);
    assertThat(result.err()).contains("File too large");
  }
}
