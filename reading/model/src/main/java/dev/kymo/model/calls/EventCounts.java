package dev.kymo.model.calls;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;

/** Counts of a thread's events and calls. */
public final class EventCounts {
  long enters;
  long leaves;
  long unwinds;
  long switches;
  long details;
  long own;
  long calls;
  long unmatchedLeaves;
  long missingLeaves;
  long openCalls;
  public int depth;

  EventCounts() {}

  public long enters() {
    return enters;
  }

  public long leaves() {
    return leaves;
  }

  public long unwinds() {
    return unwinds;
  }

  public long switches() {
    return switches;
  }

  /** Details of states. */
  public long details() {
    return details;
  }

  /** Events of the program's own. */
  public long own() {
    return own;
  }

  public long events() {
    return enters + leaves + unwinds + switches + details + own;
  }

  /** Calls that ended or were open at the end. */
  public long calls() {
    return calls;
  }

  public long unmatchedLeaves() {
    return unmatchedLeaves;
  }

  /** Enters whose leave is missing although the call around them has ended. */
  public long missingLeaves() {
    return missingLeaves;
  }

  public long openCalls() {
    return openCalls;
  }

  /** How many calls were nested at most. */
  public int depth() {
    return depth;
  }

  void writeTo(ByteWriter to) {
    to.number(enters).number(leaves).number(unwinds).number(switches);
    to.number(details).number(own);
    to.number(calls).number(unmatchedLeaves).number(missingLeaves);
    to.number(openCalls).number(depth);
  }

  void readFrom(ByteCursor from) {
    enters = from.number();
    leaves = from.number();
    unwinds = from.number();
    switches = from.number();
    details = from.number();
    own = from.number();
    calls = from.number();
    unmatchedLeaves = from.number();
    missingLeaves = from.number();
    openCalls = from.number();
    depth = (int) from.number();
  }
}
