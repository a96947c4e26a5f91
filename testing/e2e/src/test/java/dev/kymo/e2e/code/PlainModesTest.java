package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.instructions.InstructionRecording;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each way to make a process or a thread, to end, to restrict oneself, to use descriptors, signals
 * and libraries, in several languages and built in many ways: recorded in each mode, the programs
 * do the same as plain, but for what {@code differences.txt} names.
 */
@Tag("plain")
@Timeout(1800)
class PlainModesTest {
  private static final int FEWEST = 150;
  private static final String NOBODY = "65534"; // the group's name is not the same everywhere

  @TempDir static Path folder;
  private static PlainPrograms programs;
  private static PlainRun run;

  @BeforeAll
  static void runPlain() throws Exception {
    // Some programs become nobody, and begin anew.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    programs = new PlainPrograms(folder);
    programs.manyCases("ends", "sandboxes", "limits", "descriptors");
    programs.manyCases("processes", "execs", "threads", "contexts", "signals", "self");
    programs.loading();
    programs.otherLanguages();
    programs.manyWays();
    programs.skipped.forEach(System.out::println);
    run = new PlainRun(folder, programs, "");
    run.plain();
  }

  @AfterAll
  static void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @Test
  void thereAreMany() {
    assertThat(programs.lines).hasSizeGreaterThan(FEWEST);
  }

  @ParameterizedTest
  @CsvSource({
    "default, --clock=tsc",
    "monotonic, --clock=monotonic",
    "threads, --threads",
    "messages, --messages",
    "both, --threads --messages"
  })
  void programsDoAsTheyDoPlain(String mode, String options) throws Exception {
    assertThat(run.recorded(mode, options.split(" "))).isEmpty();
  }

  @Test
  void programsDoAsTheyDoPlainWithEventsOfTheKernel() throws Exception {
    try {
      Tracefs.find().instances();
    } catch (KernelException e) {
      assumeTrue(false, "skipped: " + e.getMessage());
    }
    assertThat(run.recorded("kernel", "--kernel", "cswitch,ipc,irq")).isEmpty();
  }

  @Test
  void programsDoAsTheyDoPlainInQemu() throws Exception {
    InstructionRecording.assumeEmulator(folder);
    assertThat(run.recorded(PlainRun.INSTRUCTIONS, "--instructions")).isEmpty();
  }

  @Test
  void programsDoAsTheyDoPlainOfAnOrdinaryUser() throws Exception {
    assumeNobodyCanRun();
    PlainRun ofNobody = new PlainRun(folder, programs, NOBODY);
    ofNobody.plain();
    assertThat(ofNobody.recorded("default", "--clock=tsc")).isEmpty();
    assertThat(ofNobody.recorded("threads", "--threads")).isEmpty();
  }

  /** Skips the test where others do not come to what it needs. */
  private static void assumeNobodyCanRun() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: only root becomes nobody");
    List<String> words = new ArrayList<>(PlainRun.as(NOBODY));
    words.addAll(List.of("test", "-r", Kymo.AGENT.toString()));
    words.addAll(List.of("-a", "-x", programs.runner("each").toString()));
    words.addAll(List.of("-a", "-x", Jdk.running().java().toString()));
    assumeTrue(
        Kymo.exec(folder, words.toArray(String[]::new)).exit() == 0,
        "skipped: user nobody cannot read Kymo, its Java or the temporary directory");
  }
}
