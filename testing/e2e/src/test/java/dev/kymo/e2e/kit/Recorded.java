package dev.kymo.e2e.kit;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.RecordingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The contents of a recording: the number of calls of each method. */
public final class Recorded implements AutoCloseable {
  /** What no program decides: when a thread loads which class, and when a collector is at work. */
  private static final Set<String> NOT_CALLED = Set.of("weaving", "GC pauses");

  public final Timeline timeline;

  /** Calls by {@code Class.method}. */
  public final Map<String, Long> calls = new HashMap<>();

  /** Calls that ended by an exception. */
  public final Map<String, Long> unwound = new HashMap<>();

  /** Calls without a beginning or an end of their own, as text. */
  public final Map<String, Long> unbalanced = new HashMap<>();

  public long total;

  /**
   * A call, or a state of a thread.
   *
   * @param open whether it has not ended
   * @param other thread that let the thread go on or, if it is open, that has the object; - =
   *     nobody
   */
  public record State(String what, long begin, long end, boolean open, int object, String other) {}

  public Recorded(Path recording) throws RecordingException {
    timeline = Timelines.open(recording, (done, all) -> {});
    for (Track track : timeline.tracks()) {
      // All of them, however many: a window of too many calls would be coarser.
      timeline.calls(
          track.id(),
          0,
          Long.MAX_VALUE / 2,
          (depth, method, begin, end, flags) -> add(method, flags & ~CallCursor.NESTED));
    }
  }

  private void add(int method, int flags) {
    if (NOT_CALLED.contains(timeline.method(method).type())) {
      return;
    }
    total++;
    String name = timeline.method(method).qualifiedName();
    calls.merge(name, 1L, Long::sum);
    if ((flags & Slice.UNWOUND) != 0) {
      unwound.merge(name, 1L, Long::sum);
    }
    if ((flags & (Slice.OPEN_BEGIN | Slice.OPEN_END | Slice.INFERRED_END)) != 0) {
      unbalanced.merge(name + " " + flags, 1L, Long::sum);
    }
  }

  public long calls(String name) {
    return calls.getOrDefault(name, 0L);
  }

  /** The data of each event of the program's own, in the order of time on its thread. */
  public Map<String, List<String>> ownEvents() {
    Map<String, List<String>> events = new TreeMap<>();
    for (Track track : tracks()) {
      timeline.events(
          track.id(),
          0,
          Long.MAX_VALUE,
          (time, event, batch, word) ->
              events
                  .computeIfAbsent(event.qualifiedName(), name -> new ArrayList<>())
                  .add(event.text(batch, word)));
    }
    return events;
  }

  public List<Track> tracks() {
    return timeline.tracks();
  }

  /** The one of this kind and name; fails if there is none. */
  public Track track(TrackKind kind, String name) {
    return tracks().stream()
        .filter(track -> track.kind() == kind && track.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + " " + name + ": " + tracks()));
  }

  @Override
  public void close() {
    timeline.close();
  }

  /** The calls of a thread, or its states with their details. */
  public List<State> states(Track track) {
    List<State> states = new ArrayList<>();
    timeline.calls(
        track.id(),
        0,
        timeline.duration() + 1,
        new CallVisitor() {
          private int object;
          private int other = -1;

          @Override
          public void detail(int of, int by) {
            object = of;
            other = by;
          }

          @Override
          public void call(int depth, int method, long begin, long end, int flags) {
            String by = other < 0 ? "-" : tracks().get(other).name();
            String what = timeline.method(method).qualifiedName();
            boolean open = (flags & Slice.OPEN_END) != 0;
            states.add(new State(what, begin, end, open, object, by));
            object = 0;
            other = -1;
          }
        });
    return states;
  }
}
