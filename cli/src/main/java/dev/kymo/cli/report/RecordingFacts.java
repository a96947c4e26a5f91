package dev.kymo.cli.report;

import dev.kymo.analysis.selection.SelectionFacts;
import dev.kymo.format.Clock;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.EventCounts;
import dev.kymo.model.calls.GapList;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.KernelMerge;

/** The numbers {@code kymo info} shows. */
public final class RecordingFacts {
  private final CallPass pass;
  private long enters;
  private long leaves;
  private long unwinds;
  private long switches;
  private long details;
  private long own;
  private long unmatchedLeaves;
  private long missingLeaves;
  private long openCalls;
  private long lost;
  private long gaps;
  private long unknownGaps;
  private long kernelEvents;

  private RecordingFacts(CallPass pass) {
    this.pass = pass;
  }

  /** Adds up a pass that has run. */
  public static RecordingFacts of(CallPass pass) {
    RecordingFacts facts = new RecordingFacts(pass);
    pass.threads().forEach(facts::add);
    for (TracedProcess process : pass.definitions().processes()) {
      facts.lost += process.lost();
    }
    facts.countKernelEvents();
    return facts;
  }

  private void countKernelEvents() {
    KernelMerge kernel =
        KernelMerge.all(
            pass.recording(), pass.definitions().kernelEvents().values(), pass.diagnostics());
    while (kernel.until(Long.MAX_VALUE) != null) {
      kernelEvents++;
    }
  }

  private void add(ThreadCalls thread) {
    EventCounts c = thread.counts();
    enters += c.enters();
    leaves += c.leaves();
    unwinds += c.unwinds();
    switches += c.switches();
    details += c.details();
    own += c.own();
    unmatchedLeaves += c.unmatchedLeaves();
    missingLeaves += c.missingLeaves();
    openCalls += c.openCalls();
    GapList list = thread.gaps();
    lost += list.lost();
    gaps += list.count();
    for (int i = 0; i < list.count(); i++) {
      unknownGaps += list.lost(i) == EventSink.UNKNOWN ? 1 : 0;
    }
  }

  Clock clock() {
    return pass.recording().metadata().clock();
  }

  long wallBegin() {
    return clock().wallOffset() + clock().nanos(pass.base());
  }

  long duration() {
    return pass.nanoClock().nanos(pass.end());
  }

  int threads() {
    return pass.threads().size();
  }

  public long enters() {
    return enters;
  }

  public long leaves() {
    return leaves;
  }

  public long unwinds() {
    return unwinds;
  }

  long switches() {
    return switches;
  }

  long details() {
    return details;
  }

  long own() {
    return own;
  }

  /** Records of what was counted. */
  long counts() {
    return pass.countRecords();
  }

  /** What was counted and not recorded call by call. */
  SelectionFacts counted() {
    return SelectionFacts.of(pass);
  }

  long definitions() {
    return pass.definitions().count();
  }

  /**
   * All events of all streams, definitions, counts and the kernel's included: what any CTF reader
   * counts.
   */
  long events() {
    return calls() + counts() + definitions() + kernelEvents;
  }

  private long calls() {
    return enters + leaves + unwinds + switches + details + own;
  }

  /** Events as the kernel has them; what follows from them is in the other numbers. */
  long kernelEvents() {
    return kernelEvents;
  }

  public long bytes() {
    return pass.recording().size();
  }

  double bytesPerEvent() {
    return (double) bytes() / events();
  }

  /** Bytes a second; 0 if nobody knows how long it took. */
  long byteRate() {
    return duration() == 0 ? 0 : (long) (bytes() * 1e9 / duration());
  }

  long lost() {
    return lost;
  }

  long gaps() {
    return gaps;
  }

  /** Gaps of which nobody knows how many events they cost. */
  long unknownGaps() {
    return unknownGaps;
  }

  long unmatchedLeaves() {
    return unmatchedLeaves;
  }

  long missingLeaves() {
    return missingLeaves;
  }

  long openCalls() {
    return openCalls;
  }

  long oddities() {
    return pass.diagnostics().total() + pass.recording().diagnostics().total();
  }
}
