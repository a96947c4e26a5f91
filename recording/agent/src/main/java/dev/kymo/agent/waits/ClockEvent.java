package dev.kymo.agent.waits;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A reading of the recording's clock between the begin and the end of a flight recorder's event.
 */
@Name(ClockEvent.NAME)
@Label("Kymo Clock")
@Category("Kymo")
@Description("Relates the flight recorder's clock to the one of a recording by Kymo")
@StackTrace(false)
final class ClockEvent extends Event {
  static final String NAME = "dev.kymo.Clock";

  /** The round of the reading; of several readings in a round, the fastest is used. */
  @Label("Round")
  long round;

  @Label("Clock")
  long clock;
}
