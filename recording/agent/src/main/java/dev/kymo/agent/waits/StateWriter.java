package dev.kymo.agent.waits;

import dev.kymo.agent.weave.MethodNumbers;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.format.WaitKind;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.waits.Parking.Kind;
import dev.kymo.recorder.waits.Parking.Park;
import dev.kymo.recorder.waits.StateTracks;
import dev.kymo.recorder.waits.Weavings.Weaving;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the states from several sources by time, and writes them. A thread is in one state at a
 * time. Two states overlap only because of an error of a clock; then the later state begins when
 * the earlier one ends.
 *
 * <p>Not safe for several threads at a time.
 */
final class StateWriter {
  /** Parks up to this long found their permit waiting; in ticks, up to a microsecond. */
  private static final long NO_WAIT = 1000;

  /** The program's classes may have other names that begin with Kymo's. */
  private static final List<String> OURS = List.of("dev.kymo.agent.", "dev.kymo.recorder.");

  /** At most this many threads are known at a time; a forgotten thread gets another track. */
  private static final int MOST_THREADS = 100_000;

  private final StateTracks tracks;
  private final MethodNumbers numbers;
  private final Predicate<Thread> recorded;
  private final PriorityQueue<Pending> pending =
      new PriorityQueue<>((one, other) -> Long.compare(one.when, other.when));
  private final Map<Long, Track> threads = new Known();
  private final Map<String, List<Track>> machine = new HashMap<>();

  /**
   * An entry to write at a given time: a state that is over, or a park.
   *
   * @param begins whether it is the park's begin, not its end; or the state was only seen
   */
  private record Pending(long when, @Nullable State state, @Nullable Park park, boolean begins) {}

  private static final class Track {
    private final int number;
    private String name;
    private long last;
    private @Nullable Park open;
    private int method;

    Track(int number, String name) {
      this.number = number;
      this.name = name;
    }
  }

  private static final class Known extends LinkedHashMap<Long, Track> {
    private static final long serialVersionUID = 1;

    Known() {
      super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Track> eldest) {
      return size() > MOST_THREADS && eldest.getValue().open == null;
    }
  }

  /**
   * Makes a writer that has written nothing yet.
   *
   * @param recorded whether calls of a thread were recorded
   */
  StateWriter(StateTracks tracks, MethodNumbers numbers, Predicate<Thread> recorded) {
    this.recorded = recorded;
    this.tracks = tracks;
    this.numbers = numbers;
  }

  void add(State state) {
    pending.add(new Pending(state.end(), state, null, false));
  }

  /**
   * A wait of which only looks at the thread are known. If another source has reported it by the
   * time that it would be written, it is not.
   */
  void addSeen(State state) {
    pending.add(new Pending(state.end(), state, null, true));
  }

  private boolean isReported(State seen) {
    for (Pending other : pending) {
      State state = other.state;
      if (state != null
          && !other.begins
          && state.thread() == seen.thread()
          && state.begin() <= seen.begin()
          && state.end() >= seen.end()) {
        return true;
      }
    }
    return false;
  }

  void add(Weaving weaving) {
    add(
        new State(
            weaving.thread(),
            weaving.threadName(),
            weaving.begin(),
            weaving.end(),
            WaitKind.WEAVING.word(),
            weaving.type(),
            0,
            0,
            null));
  }

  void begun(Park park) {
    pending.add(new Pending(park.begin, null, park, park.kind != Kind.RUN));
  }

  void ended(Park park) {
    pending.add(new Pending(park.end(), null, park, false));
  }

  /** Writes everything up to a time; no earlier states may come after this call. */
  void writeUntil(long time) {
    while (true) {
      Pending next = pending.peek();
      if (next == null || next.when > time) {
        return;
      }
      pending.remove();
      if (next.state != null) {
        if (!next.begins || !isReported(next.state)) {
          write(next.state);
        }
      } else if (next.park != null && next.begins) {
        begin(next.park);
      } else if (next.park != null) {
        end(next.park);
      }
    }
  }

  /** Whether a thread has waited for Kymo: that is no wait of the program's. */
  private static boolean isForUs(State state) {
    return !state.isOfMachine() && OURS.stream().anyMatch(state.name()::startsWith);
  }

  private void write(State state) {
    if (isForUs(state)) {
      return;
    }
    int method = numbers.state(state.kind(), state.name());
    if (method < 0) {
      return;
    }
    if (state.isOfMachine()) {
      Track track = free(state.track(), state.begin());
      int whose = number(state.other(), state.otherName());
      tracks.state(track.number, state.begin(), state.end(), method, 0, whose);
      track.last = state.end();
      return;
    }
    Track track = thread(state.thread(), state.track());
    if (track == null || track.open != null || state.end() < track.last) {
      return;
    }
    tracks.state(
        track.number,
        Math.max(state.begin(), track.last),
        state.end(),
        method,
        state.object(),
        number(state.other(), state.otherName()));
    track.last = state.end();
  }

  private void begin(Park park) {
    if (Blockers.isReference(park) && !ProgramThreads.isOne(park.thread, recorded)) {
      return;
    }
    long end = park.end();
    Track track = thread(park.threadId, park.thread.getName());
    if (track == null || (end != 0 && end - park.begin < NO_WAIT)) {
      return;
    }
    if (track.open != null) {
      return; // one park method calls another one
    }
    int method = numbers.state(Blockers.kind(park).word(), Blockers.name(park));
    if (method < 0) {
      return;
    }
    track.open = park;
    track.method = method;
    track.last = Math.max(track.last, park.begin);
    tracks.enter(track.number, track.last, method);
  }

  private void end(Park park) {
    Track track = threads.get(park.threadId);
    Park open = track == null ? null : track.open;
    if (track == null || open == null || !ends(park, open)) {
      return;
    }
    track.open = null;
    track.last = Math.max(track.last, park.kind == Kind.RUN ? park.begin : park.end());
    Thread other = open.other();
    int by = other == null ? 0 : number(open.otherId(), other.getName());
    tracks.leave(track.number, track.last, track.method, open.identity, by);
  }

  @SuppressWarnings("ReferenceEquality") // identity is meant
  private static boolean ends(Park park, Park open) {
    return park.kind == Kind.RUN ? open.kind == Kind.START : park == open;
  }

  /**
   * Writes a state that has not ended, unless the thread's park reports it. Everything else of the
   * thread must be written already; of several states, the one that began first comes first.
   */
  void open(State state) {
    Track track = thread(state.thread(), state.track());
    int method = numbers.state(state.kind(), state.name());
    if (track != null && track.open == null && method >= 0) {
      int other = number(state.other(), state.otherName());
      long begin = Math.max(state.begin(), track.last);
      tracks.open(track.number, begin, method, state.object(), other);
    }
  }

  /** Writes what unfinished parks wait for, after everything else about these parks. */
  void openParks(long now) {
    for (Track track : List.copyOf(threads.values())) {
      Park park = track.open;
      if (park != null) {
        Thread owner = park.owner();
        int by = owner == null ? 0 : number(park.idOf(owner), owner.getName());
        tracks.detail(track.number, now, park.identity, by);
      }
    }
  }

  private int number(long thread, @Nullable String name) {
    Track track = thread == 0 ? null : thread(thread, name == null ? "" : name);
    return track == null ? 0 : track.number;
  }

  /** The track of a thread; null if it is one of Kymo's own. */
  private @Nullable Track thread(long id, String name) {
    if (RecorderThreads.isOne(name)) {
      return null;
    }
    Track track = threads.get(id);
    if (track == null) {
      track = new Track(tracks.ofThread(id, name), name);
      threads.put(id, track);
    } else if (!name.isEmpty() && !name.equals(track.name)) {
      track.name = name;
      tracks.rename(track.number, id, name);
    }
    return track;
  }

  private Track free(String name, long begin) {
    List<Track> all = machine.computeIfAbsent(name, unused -> new ArrayList<>());
    for (Track track : all) {
      if (track.last <= begin) {
        return track;
      }
    }
    String numbered = all.isEmpty() ? name : name + " " + (all.size() + 1);
    Track track = new Track(tracks.define(TracedThread.JVM, 0, numbered), numbered);
    all.add(track);
    return track;
  }
}
