package dev.kymo.reader;

/** The ways in which a recording can be other than it should be, and what the reader then does. */
public enum Oddity {
  UNREADABLE_FILE("file cannot be read", "what comes after is missing"),
  NO_FILE("is no file of the recording itself", "not read, links are not followed"),
  MISSING_STREAM("stream is missing, the recording had it", "what was in it is missing"),
  SHORT_STREAM("stream is shorter than it was", "what was behind it is missing"),
  DAMAGED_SOURCE(
      "slice was cut from a damaged recording", "what was missing there is missing here"),
  BAD_MAGIC("no packet begins here", "skipped to the next packet"),
  WRONG_UUID("packet belongs to another recording", "skipped"),
  WRONG_STREAM_CLASS("packet is of another stream class", "skipped"),
  WRONG_PROCESS("packet names another process than the packets before", "taken for theirs"),
  BAD_SIZE("packet has an impossible size", "read up to where the next packet begins"),
  CUT_PACKET("packet is cut short", "read as far as it goes"),
  CUT_RECORD("record is cut short", "left out"),
  UNKNOWN_RECORD("record has an unknown id", "left out"),
  BAD_DEFINITION("definition cannot be decoded", "the rest of its packet is left out"),
  BAD_COUNT("count cannot be decoded", "the rest of its packet is left out"),
  BAD_KERNEL_EVENT("kernel event cannot be decoded", "the rest of its packet is left out"),
  BAD_CLOCK("packet ends before it begins", "its events stand at one time"),
  CLOCK_BACKWARDS(
      "packet begins before the one before it ended", "its events are moved to that end"),
  CLOCK_OUTSIDE(
      "clock of a record lies outside its packet", "it has the time of the record before"),
  MISSING_PACKETS("packets are missing", "shown as a gap with an unknown number of events"),
  REPEATED_PACKET("packet number goes backwards", "read where it stands"),
  LOSS_BACKWARDS("number of lost events goes backwards", "taken for no loss"),
  TWO_PLACES("thread is in two streams at the same time", "its later events are moved back");

  private final String what;
  private final String done;

  Oddity(String what, String done) {
    this.what = what;
    this.done = done;
  }

  /** What is wrong, in a few words. */
  public String what() {
    return what;
  }

  /** What the reader makes of it. */
  public String done() {
    return done;
  }
}
