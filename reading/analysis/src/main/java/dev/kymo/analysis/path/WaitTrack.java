package dev.kymo.analysis.path;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The waits of one track, asked for backwards: it is read in pieces, the last one first, because
 * most paths leave a thread long before they know all of its waits.
 */
final class WaitTrack {
  private final Timeline timeline;
  private final int track;
  private final long from;
  private final long width;
  private final Progress progress;
  private final BiPredicate<Integer, Integer> isWait;
  private List<Wait> piece = List.of();
  private long pieceAt = Long.MIN_VALUE;

  /**
   * Nothing is read yet.
   *
   * @param from where a piece begins
   * @param width of a piece
   * @param isWait takes a state's depth and method
   */
  WaitTrack(
      Timeline timeline,
      int track,
      long from,
      long width,
      BiPredicate<Integer, Integer> isWait,
      Progress progress) {
    this.timeline = timeline;
    this.track = track;
    this.from = from;
    this.width = width;
    this.isWait = isWait;
    this.progress = progress;
  }

  /**
   * The last one that ended until then.
   *
   * @param notBefore one that ended before is not looked for
   */
  Optional<Wait> lastUntil(long time, long notBefore) {
    Optional<Wait> found = Optional.empty();
    long first = piece(notBefore);
    for (long at = piece(time); at >= first && found.isEmpty(); at--) {
      found = last(at, wait -> wait.end() <= time);
    }
    return found;
  }

  /** The wait that began before a time and ended after it, or was open at the end. */
  Optional<Wait> around(long time) {
    return last(piece(time), wait -> wait.begin() < time && time < wait.end());
  }

  private long piece(long time) {
    return Math.floorDiv(time - from, width);
  }

  private Optional<Wait> last(long number, Predicate<Wait> wanted) {
    read(number);
    for (int i = piece.size() - 1; i >= 0; i--) {
      if (wanted.test(piece.get(i))) {
        return Optional.of(piece.get(i));
      }
    }
    return Optional.empty();
  }

  private void read(long number) {
    if (number == pieceAt) {
      return;
    }
    progress.check();
    List<Wait> waits = new ArrayList<>();
    long begin = from + number * width;
    timeline.calls(
        track,
        begin,
        begin + width,
        new CallVisitor() {
          private int object;
          private int other = -1;

          @Override
          public void detail(int objectOfNext, int otherOfNext) {
            object = objectOfNext;
            other = otherOfNext;
          }

          @Override
          public void call(int depth, int method, long stateBegin, long stateEnd, int flags) {
            boolean open = (flags & Slice.OPEN_END) != 0; // has not ended: nobody ended it
            if (stateEnd > stateBegin && isWait.test(depth, method)) {
              long end = open ? Long.MAX_VALUE : stateEnd;
              waits.add(new Wait(stateBegin, end, method, object, open ? -1 : other));
            }
            object = 0;
            other = -1;
          }
        });
    piece = waits;
    pieceAt = number;
  }
}
