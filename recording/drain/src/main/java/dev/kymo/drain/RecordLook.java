package dev.kymo.drain;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows a {@link RecordWatch}, if there is one, what the rings have got, again and again. */
final class RecordLook {
  /** The rings of busy threads must not be overwritten in this time. */
  private static final long PERIOD_NANOS = 10_000_000;

  private @Nullable RecordWatch watch;
  private long last = System.nanoTime() - PERIOD_NANOS;

  void watch(RecordWatch looking) {
    watch = looking;
  }

  /** Shows what has come if it is time; returns why a snapshot is to be taken. */
  List<RecordWatch.Reason> look(Collection<ProcessDrain> running, ClockCalibration calibration)
      throws IOException {
    RecordWatch looking = watch;
    if (looking == null || System.nanoTime() - last < PERIOD_NANOS) {
      return List.of();
    }
    last = System.nanoTime();
    looking.begin();
    for (ProcessDrain process : running) {
      process.tap(looking);
    }
    return looking.end(calibration.clock(), calibration.now());
  }
}
