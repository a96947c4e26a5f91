package dev.kymo.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Redaction;
import dev.kymo.recorder.platform.ProcFiles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose folder in the shared memory is. */
class HomeTest {
  private static final int PID = (int) ProcessHandle.current().pid();
  private static final long BEGUN = ProcFiles.startTime("self");

  @TempDir Path folder;

  private final ByteBuffer control =
      ByteBuffer.allocate(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);

  @BeforeEach
  void fill() {
    control.putLong(ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    control.putInt(ControlLayout.PID_OFFSET, PID);
    control.putInt(ControlLayout.STATE_OFFSET, ControlLayout.RUNNING);
    control.putLong(ControlLayout.BEGUN_BY_OFFSET, BEGUN);
  }

  private Owners.@Nullable Owner owner() throws Exception {
    Path home = Files.createDirectories(folder.resolve("p1"));
    Files.write(home.resolve("control"), control.array());
    return new Owners(anyone -> false).owner(home);
  }

  @Test
  void aProcessThatHadBegunBeforeItJoined() throws Exception {
    assertThat(owner()).isEqualTo(new Owners.Owner(PID, true));
    control.putLong(ControlLayout.BEGUN_BY_OFFSET, BEGUN + 100);
    assertThat(owner()).isEqualTo(new Owners.Owner(PID, true));
  }

  @Test
  void anotherProcessThatGotItsNumber() throws Exception {
    control.putLong(ControlLayout.BEGUN_BY_OFFSET, BEGUN - 1);
    assertThat(owner()).isEqualTo(new Owners.Owner(PID, false));
  }

  /** In its container it was number 1, which here is a process that nobody may look into. */
  @Test
  void oneOfAContainerThatWasKilled() throws Exception {
    assumeTrue(PID != 1);
    control.putInt(ControlLayout.PID_OFFSET, 1);
    assertThat(owner()).isEqualTo(new Owners.Owner(0, false));
  }

  @Test
  void oneThatSaysItsEnd() throws Exception {
    control.putInt(ControlLayout.STATE_OFFSET, ControlLayout.ENDED);
    assertThat(owner()).isEqualTo(new Owners.Owner(PID, false));
  }

  @Test
  void oneThatIsNotReadyYet() throws Exception {
    control.putLong(ControlLayout.MAGIC_OFFSET, 0);
    assertThat(owner()).isNull();
    assertThat(new Owners(anyone -> false).owner(folder.resolve("p2"))).isNull();
  }

  /** Files would be written under its name, and where other processes' numbers are. */
  @ParameterizedTest
  @ValueSource(strings = {"p0", "p-5", "p+7", "p007", "p", "px", "p2147483648"})
  void aFolderWithoutAProcessNumberIsLeftAlone(String name) throws Exception {
    Path home = Files.createDirectory(folder.resolve(name));
    Files.write(home.resolve("control"), control.array());
    Output output = new Output(folder, UUID.randomUUID(), new Segments(0, 1), Redaction.NONE);
    assertThatThrownBy(() -> ProcessDrain.open(home, output, pid -> true, n -> {}))
        .isInstanceOf(DamagedMemoryException.class)
        .hasMessageStartingWith("a folder in shared memory is left alone, its name has no number")
        .hasMessageEndingWith("folder=" + home);
  }

  @Test
  void aWishThatWasRefusedIsLookedAtAgainAfterGrowingPauses() throws Exception {
    control.putInt(ControlLayout.OWNER_ASKED_OFFSET, 1001);
    Path path = Files.createDirectory(folder.resolve("p1"));
    List<Long> looks = new ArrayList<>();
    long[] now = {Long.MAX_VALUE - 5}; // as any clock, it may come round
    long begin = now[0];
    try (Home home = Home.open(path)) {
      HomeOwner owner =
          new HomeOwner(
              home,
              control,
              user -> {
                assertThat(user).isEqualTo(1000);
                looks.add(TimeUnit.NANOSECONDS.toMillis(now[0] - begin));
                return false;
              });
      for (int millis = 0; millis < 1000; millis++) {
        owner.answer(now[0]);
        assertThat(control.getInt(ControlLayout.OWNER_DONE_OFFSET))
            .isEqualTo(ControlLayout.REFUSED);
        now[0] += TimeUnit.MILLISECONDS.toNanos(1);
      }
    }
    assertThat(looks).containsExactly(0L, 10L, 30L, 70L, 150L, 310L, 630L);
  }
}
