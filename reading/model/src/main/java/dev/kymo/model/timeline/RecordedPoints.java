package dev.kymo.model.timeline;

import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.listing.PointListing;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.MethodTable;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The irregular points of the instructions that were executed, which are read when somebody asks.
 * Safe for use by several threads.
 */
public final class RecordedPoints {
  public static final RecordedPoints NONE = new RecordedPoints(null);

  private final @Nullable CallPass pass;

  /** The last answer: whoever looks at one page of it looks at the next one, too. */
  private @Nullable PointListing last;

  private Set<String> lastCritical = Set.of();

  private RecordedPoints(@Nullable CallPass pass) {
    this.pass = pass;
  }

  static RecordedPoints of(CallPass pass) {
    return new RecordedPoints(pass);
  }

  private @Nullable InstructionTrace trace() {
    return pass == null ? null : pass.recording().instructions();
  }

  /** Whether instructions were recorded. */
  public boolean any() {
    return trace() != null;
  }

  /**
   * The points; none if no instructions were recorded.
   *
   * @param critical names of functions in which interrupts are points, too
   * @throws IllegalArgumentException if a critical function was not executed
   */
  public synchronized Optional<PointListing> listing(Set<String> critical) throws IOException {
    InstructionTrace trace = trace();
    if (trace == null || pass == null) {
      return Optional.empty();
    }
    PointListing known = last;
    if (known == null || !lastCritical.equals(critical)) {
      MethodTable methods = pass.definitions().methods();
      known =
          new PointListing(
              trace, (process, method) -> methods.get(process, method).name(), critical);
      last = known;
      lastCritical = critical;
    }
    return Optional.of(known);
  }

  /** The time of a clock: nanoseconds since the recording's begin. */
  public long time(long clock) {
    return pass == null ? clock : pass.nanoClock().nanos(clock);
  }

  /** The clock at a time. */
  public long clock(long time) {
    return pass == null ? time : pass.nanoClock().ticks(time);
  }
}
