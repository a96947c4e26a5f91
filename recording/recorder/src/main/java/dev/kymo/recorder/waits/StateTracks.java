package dev.kymo.recorder.waits;

import dev.kymo.format.Definition;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.ring.DefinitionStream;
import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.RingFactory;
import dev.kymo.recorder.ring.RingRegistry;
import dev.kymo.recorder.userevents.UserEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the waits of threads, and the activities of the virtual machine, into rings of their own.
 *
 * <p>In a ring the clock must not go back. States whose begin is written when they begin share one
 * ring, in the order of their times. A state that becomes known when it is over goes to a ring that
 * has nothing later than its begin; so there are as many rings as there were such states at the
 * same time, and they are small.
 */
public final class StateTracks {
  private static final int LARGE_SUB_BUFFER = 32 * 1024;
  private static final int LARGE_SUB_BUFFERS = 16;
  private static final int SMALL_SUB_BUFFER = 4 * 1024;
  private static final int SMALL_SUB_BUFFERS = 2;

  /** This number of rings has room for states in quick succession. */
  private static final int LARGE_RINGS = 4;

  /** With more states at the same time than this, some are lost, and counted. */
  private static final int MOST_RINGS = 1024;

  /** At most this many threads are known at a time; a forgotten thread gets another track. */
  private static final int MOST_THREADS = 100_000;

  private final DefinitionStream definitions;
  private final RingRegistry registry;
  private final RingFactory factory;
  private final DrainerWatch drainer;
  private final boolean overwrite;
  private final List<StateRing> rings = new ArrayList<>();
  private final Map<Long, Integer> ofThreads = new Recent();
  private @Nullable StateRing ordered;
  private @Nullable StateRing loads;
  private boolean failed;

  private static final class Recent extends LinkedHashMap<Long, Integer> {
    private static final long serialVersionUID = 1;

    Recent() {
      super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
      return size() > MOST_THREADS;
    }
  }

  /**
   * No tracks yet.
   *
   * @param overwrite whether a full ring loses the oldest, as a flight recorder's
   */
  public StateTracks(
      DefinitionStream definitions,
      RingRegistry registry,
      RingFactory factory,
      DrainerWatch drainer,
      boolean overwrite) {
    this.definitions = definitions;
    this.registry = registry;
    this.factory = factory;
    this.drainer = drainer;
    this.overwrite = overwrite;
  }

  /**
   * Defines a track; returns its number.
   *
   * @param kind {@link Definition.TracedThread#STATES} or {@link Definition.TracedThread#JVM}
   * @param javaId of the thread whose states these are, else 0
   */
  public int define(int kind, long javaId, String name) {
    int number = registry.nextThread();
    definitions.put(new Definition.TracedThread(number, kind, javaId, 0, name));
    return number;
  }

  /** Track of a thread's states, by what Java calls the thread; defined if it is new. */
  public synchronized int ofThread(long javaId, String name) {
    Integer known = ofThreads.get(javaId);
    if (known != null) {
      return known;
    }
    int track = define(Definition.TracedThread.STATES, javaId, name);
    ofThreads.put(javaId, track);
    return track;
  }

  public void rename(int track, long javaId, String name) {
    definitions.put(
        new Definition.TracedThread(track, Definition.TracedThread.STATES, javaId, 0, name));
  }

  /** A state begins; calls of this and {@link #leave} come in the order of their times. */
  public synchronized void enter(int track, long clock, int method) {
    StateRing ring = ordered();
    if (ring != null) {
      ring.enter(track, Math.max(clock, ring.last()), method);
    }
  }

  public synchronized void leave(int track, long clock, int method, int object, int other) {
    StateRing ring = ordered();
    if (ring != null) {
      ring.leave(track, Math.max(clock, ring.last()), method, object, other);
    }
  }

  /**
   * Writes a state that is over.
   *
   * @param object identity of what was waited for, 0 if unknown
   * @param other track of the thread that let it go on, 0 if unknown
   */
  public synchronized void state(
      int track, long begin, long end, int method, int object, int other) {
    StateRing ring = ringFor(begin);
    if (ring == null) {
      lose(2);
    } else {
      ring.state(track, begin, end, method, object, other);
    }
  }

  /**
   * Writes a thread's load from a given time on, if that is wanted.
   *
   * @param percent of one processor
   */
  public void load(int track, long clock, double percent) {
    long argument = Double.doubleToRawLongBits(percent);
    int event = UserEvents.load(argument); // it may end the recording, or begin it
    if (event != 0) {
      load(track, clock, event, argument);
    }
  }

  private synchronized void load(int track, long clock, int event, long argument) {
    if (loads == null) {
      loads = create(true);
    }
    if (loads != null) {
      loads.event(track, Math.max(clock, loads.last()), event, argument);
    }
  }

  /**
   * Writes a state that is open at the end of the recording; the last of its track.
   *
   * @param object identity of what is waited for, 0 if unknown
   * @param other track of the thread that has the object, 0 if unknown
   */
  public synchronized void open(int track, long begin, int method, int object, int other) {
    StateRing ring = ringFor(begin);
    if (ring == null) {
      lose(1);
    } else {
      ring.open(track, begin, method, object, other);
    }
  }

  /** Says more about a state that was begun by {@link #enter} and is open at the end. */
  public synchronized void detail(int track, long clock, int object, int other) {
    StateRing ring = ordered();
    if (ring != null) {
      ring.detail(track, Math.max(clock, ring.last()), object, other);
    }
  }

  /**
   * The ring with the smallest gap before the state, so that others stay free for longer states.
   */
  private @Nullable StateRing ringFor(long begin) {
    StateRing best = null;
    for (StateRing ring : rings) {
      if (ring.last() <= begin && (best == null || ring.last() > best.last())) {
        best = ring;
      }
    }
    if (best == null && rings.size() < MOST_RINGS) {
      best = create(rings.size() < LARGE_RINGS);
      if (best != null) {
        rings.add(best);
      }
    }
    return best;
  }

  /**
   * Says that every state that was over by a clock is in the rings; {@link Long#MAX_VALUE} when no
   * more will come.
   */
  public void writtenUntil(long clock) {
    registry.statesUntil(clock);
  }

  /** Counts enters and leaves that are missing. */
  public synchronized void lose(int events) {
    StateRing ring = ordered();
    if (ring != null) {
      ring.lose(events);
    }
  }

  private @Nullable StateRing ordered() {
    if (ordered == null) {
      ordered = create(true);
    }
    return ordered;
  }

  private @Nullable StateRing create(boolean large) {
    if (failed) {
      return null;
    }
    try {
      ByteBuffer memory =
          factory.newRing(
              large ? LARGE_SUB_BUFFER : SMALL_SUB_BUFFER,
              large ? LARGE_SUB_BUFFERS : SMALL_SUB_BUFFERS,
              overwrite ? RingLayout.OVERWRITE : RingLayout.BLOCK);
      return new StateRing(memory, drainer);
    } catch (IOException e) {
      failed = true;
      definitions.notice("no memory for more states of threads, some are missing: error=" + e);
      return null;
    }
  }
}
