package dev.kymo.analysis.statistics;

import dev.kymo.analysis.costs.Durations;
import dev.kymo.analysis.selection.PlacedCall;
import org.jspecify.annotations.Nullable;

/** What went from one party to another. Times are nanoseconds; those below 0 count as they are. */
public final class MatrixCell extends Durations {
  private final int from;
  private final int to;
  private long count;
  private long total;
  private long least = Long.MAX_VALUE;
  private long most = Long.MIN_VALUE;
  private long bytes;
  private long sized;
  private @Nullable PlacedCall first;
  private @Nullable PlacedCall longest;

  MatrixCell(int from, int to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Adds something.
   *
   * @param track where it can be seen
   * @param begin when it was sent, or the wait began
   * @param time until it was received, or the wait ended
   */
  void add(int track, int depth, long begin, long time) {
    count++;
    total += time;
    least = Math.min(least, time);
    PlacedCall place = new PlacedCall(track, depth, begin, time);
    PlacedCall known = longest;
    if (known == null || PlacedCall.LONGEST_FIRST.compare(place, known) < 0) {
      longest = place;
    }
    most = Math.max(most, time);
    PlacedCall earliest = first;
    if (earliest == null || PlacedCall.BY_PLACE.compare(place, earliest) < 0) {
      first = place;
    }
    addDuration(time);
  }

  void addBytes(long size) {
    bytes += size;
    sized++;
  }

  void merge(MatrixCell other) {
    count += other.count;
    total += other.total;
    least = Math.min(least, other.least);
    most = Math.max(most, other.most);
    bytes += other.bytes;
    sized += other.sized;
    PlacedCall itsLongest = other.longest;
    if (itsLongest != null
        && (longest == null || PlacedCall.LONGEST_FIRST.compare(itsLongest, longest) < 0)) {
      longest = itsLongest;
    }
    PlacedCall itsFirst = other.first;
    if (itsFirst != null && (first == null || PlacedCall.BY_PLACE.compare(itsFirst, first) < 0)) {
      first = itsFirst;
    }
    addAll(other);
  }

  /** The party that sent, or let the other one go on. */
  public int from() {
    return from;
  }

  /** The party that received, or waited. */
  public int to() {
    return to;
  }

  public long count() {
    return count;
  }

  /** Time of all together. */
  public long total() {
    return total;
  }

  public long average() {
    return count == 0 ? 0 : total / count;
  }

  public long least() {
    return count == 0 ? 0 : least;
  }

  public long most() {
    return count == 0 ? 0 : most;
  }

  /** A percentile, within 1.6 %; times below 0 count as 0 where others do not. */
  public long time(double share) {
    return Math.min(most(), percentile(share));
  }

  /** Size of those messages that say one; see {@link #sized}. */
  public long bytes() {
    return bytes;
  }

  /** How many messages say their size. */
  public long sized() {
    return sized;
  }

  /** The earliest of them: the track and time of its begin, and how long it took. */
  public @Nullable PlacedCall first() {
    return first;
  }

  /** The one that took longest. */
  public @Nullable PlacedCall longest() {
    return longest;
  }
}
