package dev.kymo.analysis.path;

import dev.kymo.model.timeline.Track;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A thread, and what is known of its waits. */
final class PathThread {
  /** The track that stands for it. */
  final Track track;

  /** The track of what the kernel did with it; -1 = there is none. */
  final int scheduled;

  /** When the first is known of it. */
  final long begin;

  private final @Nullable WaitTrack told;
  private final @Nullable WaitTrack blocked;

  /**
   * Of a thread.
   *
   * @param begin when the first is known of it
   * @param told its waits as the program reports them
   * @param blocked its waits as the kernel reports them
   */
  PathThread(
      Track track,
      int scheduled,
      long begin,
      @Nullable WaitTrack told,
      @Nullable WaitTrack blocked) {
    this.track = track;
    this.begin = begin;
    this.scheduled = scheduled;
    this.told = told;
    this.blocked = blocked;
  }

  /**
   * Whether it is known that it waits for a message. A program that reports its waits does not
   * report those for bytes from outside: there it waits in the kernel.
   *
   * @param isOfStream whether the message is bytes that were read
   */
  boolean tellsWaits(boolean isOfStream) {
    return blocked != null || (told != null && !isOfStream);
  }

  /**
   * The wait that it is in at a time, else the last one that ended until then. Program and kernel
   * tell of the same one in two ways: the program knows what for and, mostly, who ended it; the
   * kernel, when the thread was woken.
   *
   * @param from one that ended before is not looked for
   */
  Optional<Wait> at(long time, long from) {
    Optional<Wait> why = at(told, time, from);
    Optional<Wait> when = at(blocked, time, Math.min(from, why.map(Wait::begin).orElse(from)));
    if (why.isEmpty() || when.isEmpty()) {
      return why.or(() -> when);
    }
    return Optional.of(together(why.get(), when.get()));
  }

  private static Optional<Wait> at(@Nullable WaitTrack waits, long time, long from) {
    return waits == null
        ? Optional.empty()
        : waits.around(time).or(() -> waits.lastUntil(time, from));
  }

  private static Wait together(Wait why, Wait when) {
    if (!overlap(why, when)) {
      return why.end() > when.end() ? why : when;
    }
    int other = why.other() >= 0 ? why.other() : when.other();
    long begin = Math.min(why.begin(), when.begin());
    return new Wait(begin, when.end(), why.state(), why.object(), other);
  }

  private static boolean overlap(Wait one, Wait other) {
    return one.begin() < other.end() && other.begin() < one.end();
  }
}
