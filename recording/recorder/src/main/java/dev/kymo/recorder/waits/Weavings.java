package dev.kymo.recorder.waits;

import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.ring.RingRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time spent on putting probes into classes: in total, and as states of the program's threads,
 * which load these classes and have to wait for it. These threads only leave a note; the states are
 * written by {@code kymo waits}, which sorts them among others, or else by the housekeeper.
 */
public final class Weavings {
  private final StateTracks states;
  private final RingRegistry rings;
  private final DrainerWatch clock;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger count = new AtomicInteger();
  private final ConcurrentLinkedQueue<Weaving> notes = new ConcurrentLinkedQueue<>();

  // Guarded by this:
  private boolean kept; // for who takes them
  private boolean alone; // no other states are written
  private long lastRound;

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

  /** They are the only states of this recording. */
  public synchronized void areAlone() {
    alone = true;
    lastRound = clock.now();
    states.writtenUntil(lastRound);
  }

  /** Keeps weavings from now on, to be taken. */
  public synchronized void keep() {
    kept = true;
  }

  /**
   * Takes the weavings since the last call.
   *
   * @param last whether this is the last call
   */
  public synchronized List<Weaving> take(boolean last) {
    kept = !last;
    return takeAll();
  }

  private List<Weaving> takeAll() {
    List<Weaving> taken = new ArrayList<>();
    for (Weaving next = notes.poll(); next != null; next = notes.poll()) {
      taken.add(next);
    }
    return taken;
  }

  /**
   * Writes the weavings since the last call, unless they are kept.
   *
   * @param last whether this is the last call
   */
  public synchronized void write(boolean last) {
    if (kept) {
      return;
    }
    long now = clock.now();
    for (Weaving w : takeAll()) {
      states.state(states.ofThread(w.thread, w.threadName), w.begin, w.end, w.state, 0, 0);
    }
    if (alone) { // a thread may have read the clock, and not left its note yet
      states.writtenUntil(last ? Long.MAX_VALUE : lastRound);
      lastRound = now;
    }
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
      notes.add(new Weaving(thread.getId(), thread.getName(), begin, clock.now(), type, state));
    }
  }

  public long nanos() {
    return nanos.get();
  }

  public int count() {
    return count.get();
  }
}
