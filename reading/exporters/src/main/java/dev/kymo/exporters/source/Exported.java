package dev.kymo.exporters.source;

/** Counts of what was handed out. */
public final class Exported {
  long calls;
  long events;
  long messages;
  boolean moreMessages;

  Exported() {}

  /** Calls, and states as calls. */
  public long calls() {
    return calls;
  }

  /** User events that neither begin nor end a call. */
  public long events() {
    return events;
  }

  public long messages() {
    return messages;
  }
}
