package dev.kymo.recorder;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What putting probes into classes took: in all, and as states of the program's threads, which load
 * these classes and have to wait for it.
 */
public final class Weavings {
  /** Kind of the states; what they are called is the class. */
  public static final String KIND = "weaving";

  private final StateTracks states;
  private final RingRegistry rings;
  private final DrainerWatch clock;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger count = new AtomicInteger();

  /** For who brings them into one order with other states; null = they are written at once. */
  private @Nullable List<Weaving> kept;

  /**
   * Of one class.
   *
   * @param thread as Java numbers it
   * @param begin clock, in ticks, as is the end
   * @param state number of the state
   */
  public record Weaving(
      long thread, String threadName, long begin, long end, String type, int state) {}

  Weavings(StateTracks states, RingRegistry rings, DrainerWatch clock) {
    this.states = states;
    this.rings = rings;
    this.clock = clock;
  }

  /** From now on somebody takes them. */
  public synchronized void keep() {
    kept = new ArrayList<>();
  }

  /**
   * Those that came since the last time.
   *
   * @param last from now on nobody takes them any more
   */
  public synchronized List<Weaving> take(boolean last) {
    List<Weaving> taken = kept;
    if (taken == null) {
      return List.of();
    }
    kept = last ? null : new ArrayList<>();
    return taken;
  }

  /**
   * The calling thread has put probes into a class. That is told as a state of a platform thread of
   * which calls or events were recorded before: only then somebody's time contains it.
   *
   * @param type the class
   * @param state number of the state, below 0 = there was none left
   * @param begin clock, in ticks
   * @param took nanoseconds
   */
  public void add(String type, int state, long begin, long took) {
    nanos.addAndGet(took);
    count.incrementAndGet();
    Thread thread = Thread.currentThread();
    if (state >= 0 && Probe.isOn() && rings.hasTrack(thread)) {
      add(new Weaving(thread.getId(), thread.getName(), begin, clock.now(), type, state));
    }
  }

  private synchronized void add(Weaving weaving) {
    if (kept != null) {
      kept.add(weaving);
      return;
    }
    Privileged.run(
        new Runnable() { // no lambda: a class is being loaded
          @Override
          public void run() {
            write(weaving);
          }
        });
  }

  private void write(Weaving w) {
    states.state(states.ofThread(w.thread, w.threadName), w.begin, w.end, w.state, 0, 0);
  }

  long nanos() {
    return nanos.get();
  }

  int count() {
    return count.get();
  }
}
