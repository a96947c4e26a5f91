package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.kernel.KernelSink;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Another user of the machine tries what he should not. Meanwhile an honest one is served, and gets
 * all that is his; so is root, afterwards.
 */
@Tag("kernel")
@Tag("daemon")
class HostileUserTest {
  private static final int HOSTILE = 54_321;

  /** Writes all the time that the other one is at it, and says in the end how often it did. */
  private static final String HONEST =
      "{ i=0; until [ -e %1$s/over ] && [ $i -gt 20 ]; do i=$((i+1)); head -c 100 /dev/zero; sleep 0.05; done; sleep 1; }"
          + " | LC_ALL=C dd of=/dev/null bs=1 2>%1$s/written";

  private Daemons.Served daemon;
  private Process honest;
  private BufferedReader lines;

  @BeforeAll
  static void needsTracefs() {
    Daemons.tracefs("HostileUserTest");
  }

  @BeforeEach
  void anHonestUser() throws Exception {
    daemon = new Daemons.Served(64);
    Path written = Files.createFile(daemon.folder.resolve("written"));
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-rw-rw-"));
    String command = HONEST.formatted(daemon.folder);
    honest =
        Daemons.run(
            Daemons.NOBODY, ClientProgram.class, daemon.socket.toString(), "ipc,cswitch", command);
    lines = honest.inputReader();
    Daemons.linesUpTo("started", lines);
  }

  private String tries(String what) throws Exception {
    Process hostile =
        Daemons.run(
            HOSTILE,
            HostileProgram.class,
            daemon.socket.toString(),
            what,
            Long.toString(honest.pid()));
    try {
      hostile.getOutputStream().close();
      String said = new String(hostile.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(hostile.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(hostile.exitValue()).as(said).isZero();
      return said;
    } finally {
      hostile.destroyForcibly().waitFor();
    }
  }

  /** The honest one got all; then everything is as before. */
  @AfterEach
  void allIsWell() throws Exception {
    try (Daemons.Served _ = daemon) {
      Files.createFile(daemon.folder.resolve("over"));
      List<Line> events = Daemons.linesUpTo("end", lines).stream().map(Line::of).toList();
      assertThat(honest.waitFor()).isZero();
      assertThat(events).noneMatch(line -> line.name().equals("LOST"));
      String written = Files.readString(daemon.folder.resolve("written"));
      String dd =
          events.stream()
              .filter(line -> line.name().equals("sched_process_exec"))
              .filter(line -> line.fields().getOrDefault("filename", "").endsWith("/dd"))
              .map(line -> line.fields().getOrDefault("pid", ""))
              .findFirst()
              .orElseThrow();
      long writes =
          events.stream()
              .filter(line -> line.is("sys_enter_write", "thread", dd))
              .filter(line -> line.is("sys_enter_write", "fd", 1))
              .count();
      assertThat(written).contains("\n" + writes + "+0 records out\n");
      assertThat(writes).isGreaterThan(2000);
      assertThat(DaemonSource.status(daemon.socket)).startsWith("kymo daemon test");
      try (DaemonSource source = daemon.source("cswitch")) {
        source.start();
        Seen seen = new Seen();
        long end = System.nanoTime() + 60_000_000_000L;
        while (seen.events == 0 && System.nanoTime() < end) {
          source.round(seen);
        }
        assertThat(seen.events).isPositive();
        source.finish(seen);
      }
    } finally {
      honest.descendants().forEach(ProcessHandle::destroyForcibly);
      honest.destroyForcibly().waitFor();
    }
  }

  @Test
  void asksForOthers() throws Exception {
    List<String> answers = tries("asks for others").lines().toList();
    assertThat(answers).hasSize(11);
    assertThat(answers.getFirst()).isEqualTo("OK");
    assertThat(answers.subList(1, 6))
        .allMatch(reason -> reason.startsWith("process is not this user's, or has other rights"));
    assertThat(answers.subList(6, 9))
        .allMatch(reason -> reason.startsWith("event is for root only"));
    assertThat(answers.subList(9, 11)).containsExactly("OK", "OK");
  }

  /** What he gets of all that he may ask for is about himself, or about nobody. */
  @Test
  void getsNothingOfOthers() throws Exception {
    Process client =
        Daemons.run(
            HOSTILE,
            ClientProgram.class,
            daemon.socket.toString(),
            "all,sched:*,syscalls:*,task:*",
            "sleep 1");
    List<String> events =
        new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(client.waitFor()).isZero();
    assertThat(events).hasSizeGreaterThan(100).contains("end");
    assertThat(events).anyMatch(line -> line.startsWith("sys_enter_write\t"));
    assertThat(events)
        .noneMatch(line -> line.matches(".*=(dd|head)(\t.*)?"))
        .noneMatch(line -> line.contains("=" + honest.pid() + "\t"));
  }

  @Test
  void replacesTheSocket() throws Exception {
    assertThat(tries("replaces the socket").lines())
        .containsExactly(
            "delete refused",
            "move refused",
            "link refused",
            "lock refused",
            "look at lock refused");
  }

  @Test
  void connectsAThousandTimes() throws Exception {
    assertThat(tries("connects")).isEqualTo("done\n");
    assertThat(daemon.log).isEmpty();
  }

  @Test
  void neverReads() throws Exception {
    assertThat(tries("never reads")).isEqualTo("done\n");
  }

  @Test
  void sendsGarbage() throws Exception {
    assertThat(tries("sends garbage")).endsWith("done\n");
    assertThat(daemon.log).isEmpty();
  }

  @Test
  void startsAndStopsWithoutEnd() throws Exception {
    assertThat(tries("starts and stops")).isEqualTo("stopped\n");
  }

  @Test
  void namesAllThereIs() throws Exception {
    assertThat(tries("names all there is"))
        .startsWith("too many events are named: events=")
        .endsWith(" most=1000; name services, or fewer events at a time\n");
  }

  /** The kernel's memory is everybody's. */
  @Test
  void wantsAllMemory() throws Exception {
    assertThat(tries("wants all memory").lines()).containsExactly("OK", "OK", "OK");
    assertThat(bufferKb()).isLessThanOrEqualTo(129 * 1024L); // the kernel rounds up
    assertThat(KernelMemory.ofUser(Integer.MAX_VALUE, 16_000_000, 64)).isEqualTo(15_625);
    assertThat(KernelMemory.ofUser(Integer.MAX_VALUE, 1 << 30, 2)).isEqualTo(128 * 1024);
    assertThat(KernelMemory.ofUser(-1, 1_000_000, 64)).isEqualTo(4096);
  }

  private static long bufferKb() throws IOException {
    return Long.parseLong(Daemons.kernel("buffer_size_kb").split(" ", 2)[0]);
  }

  /** Who comes first does not say how much room others have: the honest one asked for 8 MB. */
  @Test
  void littleRoomOfOneIsNoLittleRoomOfOthers() throws Exception {
    assertThat(bufferKb()).isGreaterThanOrEqualTo(KernelMemory.bufferKb(32 * 1024, false));
  }

  private static final class Seen implements KernelSink {
    private long events;

    @Override
    public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {
      events++;
    }

    @Override
    public void lost(int cpu, long from, long to, long count) {}

    @Override
    public void upTo(long clock) {}
  }
}
