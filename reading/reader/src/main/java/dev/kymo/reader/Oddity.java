package dev.kymo.reader;

/** Faults that a recording can have, and what the reader does then. */
public enum Oddity {
  UNREADABLE_FILE("file cannot be read", "what comes after is missing"),
  NO_FILE("is not a file of the recording itself", "not read; links are not followed"),
  MISSING_STREAM("stream of the recording is missing", "its contents are missing"),
  SHORT_STREAM("stream is shorter than it was", "what followed is missing"),
  DAMAGED_SOURCE(
      "slice was cut from a damaged recording", "what was missing there is missing here"),
  BAD_MAGIC("no packet begins here", "skipped to the next packet"),
  WRONG_UUID("packet belongs to another recording", "skipped"),
  WRONG_STREAM_CLASS("packet belongs to another stream class", "skipped"),
  WRONG_PROCESS("packet's process differs from the previous packets'", "counted as theirs"),
  BAD_SIZE("packet has an impossible size", "read up to where the next packet begins"),
  CUT_PACKET("packet is cut short", "read as far as possible"),
  CUT_RECORD("record is cut short", "left out"),
  UNKNOWN_RECORD("record has an unknown id", "left out"),
  BAD_DEFINITION("definition cannot be decoded", "the rest of its packet is left out"),
  BAD_COUNT("count cannot be decoded", "the rest of its packet is left out"),
  BAD_KERNEL_EVENT("kernel event cannot be decoded", "the rest of its packet is left out"),
  BAD_CLOCK("packet ends before it begins", "all its events get one time"),
  CLOCK_BACKWARDS(
      "packet begins before the previous packet ended", "its events are moved to that end"),
  CLOCK_OUTSIDE("clock of a record lies outside its packet", "it gets the previous record's time"),
  MISSING_PACKETS("packets are missing", "shown as a gap with an unknown number of events"),
  REPEATED_PACKET("packet number goes backwards", "read in the order of the file"),
  LOSS_BACKWARDS("number of lost events goes backwards", "counted as no loss"),
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

  /** What the reader does about it. */
  public String done() {
    return done;
  }
}
