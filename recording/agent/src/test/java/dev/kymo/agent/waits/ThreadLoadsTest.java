package dev.kymo.agent.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadLoadsTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  private final ThreadLoads loads = new ThreadLoads();

  @Test
  void holdFromTheLookBefore() {
    loads.add(7, "a", 10 * SECOND, 0.9);
    assertThat(loads.take()).as("since when is not known").isEmpty();
    loads.add(7, "a", 11 * SECOND, 0.5);
    loads.add(8, "b", 11 * SECOND + MILLI, 0.25);
    loads.add(7, "a", 12 * SECOND, 0.75);
    assertThat(loads.take())
        .containsExactly(
            new Load(7, "a", 10 * SECOND, 0.5),
            new Load(8, "b", 10 * SECOND + MILLI, 0.25),
            new Load(7, "a", 11 * SECOND, 0.75));
  }

  @Test
  void areNothingWhenNothingIsTold() {
    loads.add(7, "a", 10 * SECOND, 0.9);
    loads.add(7, "a", 11 * SECOND, 0.5);
    loads.add(8, "b", 12 * SECOND, 0.5);
    loads.take();
    loads.add(8, "b", 13 * SECOND, 0.5);
    assertThat(loads.take())
        .containsExactly(new Load(7, "a", 11 * SECOND, 0), new Load(8, "b", 12 * SECOND, 0.5));
    loads.add(7, "a", 15 * SECOND, 0.125);
    assertThat(loads.take())
        .containsExactly(new Load(8, "b", 13 * SECOND, 0), new Load(7, "a", 14 * SECOND, 0.125));
  }

  @Test
  void endWithTheThreadAndWithTheRecording() {
    loads.add(7, "a", 10 * SECOND, 0.9);
    loads.add(7, "a", 11 * SECOND, 0.5);
    loads.add(7, "a", 11 * SECOND + 300 * MILLI, 1); // it has ended
    loads.take();
    loads.end();
    assertThat(loads.take()).isEqualTo(List.of(new Load(7, "a", 11 * SECOND + 300 * MILLI, 0)));
  }

  /** The begin of a thread that was not told of is not before the first look. */
  @Test
  void beginWithTheFirstLook() {
    loads.add(7, "a", 10 * SECOND, 0.9);
    loads.add(8, "b", 10 * SECOND + 600 * MILLI, 0.5);
    assertThat(loads.take()).containsExactly(new Load(8, "b", 10 * SECOND, 0.5));
  }
}
