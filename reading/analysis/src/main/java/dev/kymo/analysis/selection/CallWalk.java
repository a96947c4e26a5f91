package dev.kymo.analysis.selection;

import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** Hands the calls of a selection to collectors, track by track, on two threads where it pays. */
public final class CallWalk {
  /** With fewer calls, a second thread costs more than it saves. */
  private static final long WORTH_TWO = 100_000;

  private static final int REPORT_EVERY = 1024;

  private final Timeline timeline;
  private final TimelineSelection selection;
  private final Progress progress;
  private final Queue<Integer> tracks = new ConcurrentLinkedQueue<>();
  private long expected;

  private CallWalk(Timeline timeline, TimelineSelection selection, Progress progress) {
    this.timeline = timeline;
    this.selection = selection;
    this.progress = progress;
  }

  /**
   * Goes through all calls.
   *
   * @throws CancellationException if the result is not wanted any more
   */
  public static <C extends CallCollector<C>> C run(
      Timeline timeline, TimelineSelection selection, Progress progress, Supplier<C> collectors) {
    CallWalk walk = new CallWalk(timeline, selection, progress);
    walk.plan();
    return walk.run(collectors);
  }

  /** The largest tracks come first, so that the threads end at about the same time. */
  private void plan() {
    List<Track> all = timeline.tracks();
    List<Integer> order = new ArrayList<>(selection.tracks());
    order.removeIf(track -> all.get(track).begin() > selection.to());
    order.sort(Comparator.comparingLong(track -> -calls(all.get(track))));
    order.forEach(track -> expected += calls(all.get(track)));
    progress.expect(expected);
    tracks.addAll(order);
  }

  /** About how many calls of a track belong to the selection. */
  private long calls(Track track) {
    long life = Math.max(1, track.end() - track.begin());
    long inside = Math.max(0, selection.inside(track.begin(), track.end()));
    return 1 + (long) (track.calls() * ((double) Math.min(inside, life) / life));
  }

  private <C extends CallCollector<C>> C run(Supplier<C> collectors) {
    C first = collectors.get();
    if (expected < WORTH_TWO || tracks.size() < 2) {
      collect(first);
      return first;
    }
    FutureTask<C> second =
        new FutureTask<>(() -> {
          C collector = collectors.get();
          collect(collector);
          return collector;
        });
    Thread.ofPlatform().daemon().name("kymo-walk").start(second);
    try {
      collect(first);
    } catch (RuntimeException | Error e) {
      progress.giveUp();
      throw e;
    }
    first.merge(join(second));
    return first;
  }

  private <C> C join(FutureTask<C> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      progress.giveUp();
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void collect(CallCollector<?> collector) {
    for (Integer track = tracks.poll(); track != null; track = tracks.poll()) {
      progress.check();
      collector.track(track);
      int[] calls = {0};
      timeline.calls(
          track,
          selection.from(),
          selection.to(),
          new CallVisitor() {
            @Override
            public void detail(int object, int other) {
              collector.detail(object, other);
            }

            @Override
            public void call(int depth, int method, long begin, long end, int flags) {
              progress.check();
              if (++calls[0] == REPORT_EVERY) {
                progress.add(REPORT_EVERY);
                calls[0] = 0;
              }
              collector.call(depth, method, begin, end, flags);
            }
          });
      progress.add(calls[0]);
    }
  }
}
