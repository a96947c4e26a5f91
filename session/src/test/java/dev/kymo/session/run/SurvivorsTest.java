package dev.kymo.session.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which processes a recording waits for, seen in a folder like {@code /proc}. */
class SurvivorsTest {
  @TempDir Path folder;

  @Test
  void eachProcessIsLookedAtOnce() throws IOException {
    Path session = folder.resolve("session");
    Path processes = Files.createDirectory(folder.resolve("proc"));
    String recorded = "A=b\0KYMO_SESSION=" + session + "\0";
    Survivors survivors = new Survivors(session, processes);
    Files.createDirectory(processes.resolve("self"));
    environment(processes, 10, "A=b\0");
    environment(processes, 11, "");
    assertThat(survivors.mayJoin(true)).isFalse();
    environment(processes, 10, recorded); // nobody's changes while it runs
    assertThat(survivors.mayJoin(true)).isFalse();
    environment(
        processes, 11, recorded); // but that of one that has just started a program is there
    assertThat(survivors.mayJoin(true)).isTrue();
    Files.delete(processes.resolve("11/environ"));
    Files.delete(processes.resolve("11"));
    assertThat(survivors.mayJoin(true)).isFalse();
    environment(processes, 12, recorded);
    assertThat(survivors.mayJoin(true)).isTrue();
  }

  private static void environment(Path processes, int pid, String text) throws IOException {
    Path process = Files.createDirectories(processes.resolve(Integer.toString(pid)));
    Files.writeString(process.resolve("environ"), text);
  }
}
