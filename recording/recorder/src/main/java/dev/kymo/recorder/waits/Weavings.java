package dev.kymo.recorder.waits;

import dev.kymo.recorder.platform.Privileged;
import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.ring.RingRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The time spent on putting probes into classes: in total, and as states of the program's threads,
 * which load these classes and have to wait for it.
 */
public final class Weavings {
  private final StateTracks states;
  private final RingRegistry rings;
  private final DrainerWatch clock;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger count = new AtomicInteger();

  /** The weavings to be sorted among other states; null = weavings are written at once. */
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

  public Weavings(StateTracks states, RingRegistry rings, DrainerWatch clock) {
    this.states = states;
    this.rings = rings;
    this.clock = clock;
  }

  /** Keeps weavings from now on, to be taken. */
  public synchronized void keep() {
    kept = new ArrayList<>();
  }

  /**
   * Takes the weavings since the last call.
   *
   * @param last whether this is the last call
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
   * The calling thread has put probes into a class. This is recorded as a state if the platform
   * thread's calls or events were recorded before: only then does recorded time contain it.
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

  public long nanos() {
    return nanos.get();
  }

  public int count() {
    return count.get();
  }
}
