package dev.kymo.analysis.path;

import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.path.PathStep.Kind;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows.Arrow;
import dev.kymo.model.arrows.StreamParts;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Follows a critical path backwards. */
final class PathWalk {
  /** So many messages are looked at. */
  private static final int MOST_MESSAGES = 1 << 20;

  private static final CauseSplit NOTHING = new CauseSplit(0, 0, 0, 0, 0, 0);

  private final long from;
  private final PathThreads threads;
  private final Progress progress;
  private final List<PathStep> steps = new ArrayList<>();

  /** Those that were received by a thread, in the order of time. */
  private final Map<Integer, List<Arrow>> messages = new HashMap<>();

  /** The events whose messages are bytes that were written and read. */
  private final Set<Integer> streams;

  /** Waits whose end was explained: if clocks differ, two could explain each other for ever. */
  private final Set<Wait> explained = new HashSet<>();

  private PathThread thread;
  private long time;

  /** Why the path left the thread that was walked before, which is later in time. */
  private int state = -1;

  private int object;

  PathWalk(
      Timeline timeline, PathThreads threads, int track, long from, long to, Progress progress) {
    this.from = from;
    this.time = to;
    this.progress = progress;
    this.threads = threads;
    this.thread = threads.of(track);
    this.streams =
        timeline.events().stream()
            .filter(StreamParts::areOf)
            .map(TracedEvent::number)
            .collect(Collectors.toSet());
    for (Arrow arrow : timeline.arrows(ArrowKind.MESSAGE, from, to, MOST_MESSAGES).arrows()) {
      if (arrow.waited() > 0) {
        int receiver = threads.standing(arrow.toTrack());
        messages.computeIfAbsent(receiver, _ -> new ArrayList<>()).add(arrow);
      }
    }
  }

  /** Steps in the order of time; without what each did. */
  List<PathStep> steps() {
    return steps.reversed();
  }

  /** Follows it; false if there are too many steps. */
  boolean back() {
    while (time > from) {
      progress.check();
      if (steps.size() >= CriticalPath.MOST) {
        return false;
      }
      step();
    }
    return true;
  }

  private void step() {
    Optional<Wait> last = thread.at(time, from).filter(wait -> wait.end() > from);
    Optional<Arrow> message = message(last);
    if (message.isPresent()) {
      Arrow arrow = message.get();
      add(Kind.DID, last.filter(wait -> ended(arrow, wait)).map(Wait::end).orElse(arrow.time()));
      state = arrow.method();
      thread = threads.of(arrow.fromTrack());
      add(Kind.MESSAGE, arrow.time() - arrow.waited());
    } else if (last.isEmpty()) {
      add(Kind.DID, Math.max(from, thread.begin));
      add(Kind.NOT_BEGUN, from);
    } else {
      before(last.get());
    }
  }

  private void before(Wait wait) {
    if (wait.end() <= time) {
      add(Kind.DID, wait.end());
    }
    state = wait.state();
    object = wait.object();
    PathThread other = wait.other() < 0 ? thread : threads.of(wait.other());
    if (wait.end() <= time && other != thread && explained.add(wait)) {
      thread = other;
    } else {
      add(Kind.WAITED, wait.begin());
    }
  }

  /**
   * The message that ended the last wait; where waits are not recorded, the last one: what a thread
   * does after a message, it may do because of it.
   */
  private Optional<Arrow> message(Optional<Wait> last) {
    List<Arrow> received = messages.getOrDefault(thread.track.id(), List.of());
    int count = receivedUntil(received, time);
    if (count == 0) {
      return Optional.empty();
    }
    Arrow arrow = received.get(count - 1);
    boolean isLast =
        !thread.tellsWaits(streams.contains(arrow.method()))
            && last.stream().allMatch(wait -> wait.end() <= arrow.time());
    return isLast || last.stream().anyMatch(wait -> ended(arrow, wait))
        ? Optional.of(arrow)
        : Optional.empty();
  }

  private static boolean ended(Arrow arrow, Wait wait) {
    return wait.end() <= arrow.time() && wait.end() > arrow.time() - arrow.waited();
  }

  private static int receivedUntil(List<Arrow> arrows, long time) {
    int low = 0;
    int high = arrows.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (arrows.get(middle).time() <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** What the thread did from then on; nothing if that is no time. */
  private void add(Kind kind, long begin) {
    long since = Math.max(from, begin);
    if (since < time) {
      steps.add(new PathStep(kind, thread.track.id(), since, time, -1, NOTHING, state, object));
      time = since;
      state = -1;
      object = 0;
    }
  }
}
