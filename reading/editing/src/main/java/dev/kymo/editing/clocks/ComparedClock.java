package dev.kymo.editing.clocks;

import dev.kymo.format.Clock;
import dev.kymo.format.ClockExchanges;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/**
 * The clock of a recording, and what is known of how it runs to others.
 *
 * @param recording that has it
 * @param begin of the recording, nanoseconds since 1970 by its clock
 * @param end of the recording
 * @param exchanges with the clock of its receiver
 * @param aligned what was found before
 * @param messages that were sent and received; empty if they are not to be looked at
 */
public record ComparedClock(
    UUID recording,
    Clock clock,
    long begin,
    long end,
    Optional<ClockExchanges> exchanges,
    Optional<AlignedClock> aligned,
    Optional<SentMessages> messages) {

  /** Of a recording, with what lies beside it. */
  public static ComparedClock of(Recording recording, long begin, long end) throws IOException {
    return new ComparedClock(
        recording.metadata().uuid(),
        recording.metadata().clock(),
        begin,
        end,
        exchanges(recording),
        AlignedClock.read(recording.directory()),
        Optional.empty());
  }

  /** The same with messages, and without what was found before. */
  public static ComparedClock anew(Recording recording, long begin, long end, SentMessages messages)
      throws IOException {
    return new ComparedClock(
        recording.metadata().uuid(),
        recording.metadata().clock(),
        begin,
        end,
        exchanges(recording),
        Optional.empty(),
        Optional.of(messages));
  }

  /** Whether something beside a recording says how its clock runs to others. */
  public static boolean isCompared(Recording recording) throws IOException {
    return exchanges(recording).isPresent() || AlignedClock.read(recording.directory()).isPresent();
  }

  private static Optional<ClockExchanges> exchanges(Recording recording) throws IOException {
    return SmallFile.lines(recording.directory(), ClockExchanges.FILE)
        .flatMap(ClockExchanges::parse);
  }

  /** Whether it is the same counter of the same machine since the same boot. */
  boolean isSameCounter(ComparedClock other) {
    boolean elsewhere =
        exchanges.isPresent()
            && other.exchanges.isPresent()
            && !exchanges.get().sender().equals(other.exchanges.get().sender());
    return !elsewhere && ClockCounters.areSame(clock, other.clock);
  }

  /** Nanoseconds since 1970 at a tick. */
  long time(long ticks) {
    return clock.wallOffset() + clock.nanos(ticks);
  }
}
