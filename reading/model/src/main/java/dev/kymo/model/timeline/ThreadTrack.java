package dev.kymo.model.timeline;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.counts.CountLog;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TrackKind;

/** Makes the track of a thread. */
final class ThreadTrack {
  private ThreadTrack() {}

  /** Clock of the first fact known about a thread; if there is none, of the recording's begin. */
  private static long first(CallPass pass, ThreadCalls thread) {
    if (thread.first() >= 0) {
      return thread.first();
    }
    long counted = Math.max(pass.base(), pass.countLog().first(CountLog.Owner.of(thread)));
    return thread.gaps().count() > 0 ? Math.min(thread.gaps().from(0), counted) : counted;
  }

  /**
   * The track of a thread.
   *
   * @param id its number
   * @param of number of the track of the thread that it has more about; -1 = none
   */
  static Track of(CallPass pass, int id, ThreadCalls thread, int of) {
    NanoClock clock = pass.nanoClock();
    long begin = first(pass, thread);
    CountLog log = pass.countLog();
    CountLog.Owner owner = CountLog.Owner.of(thread);
    long counted = thread.countedUntil(log.beforeLast(owner), log.last(owner));
    return new Track(
        id,
        thread.process(),
        thread.thread(),
        TrackKind.of(thread.definition()),
        of,
        thread.definition().name(),
        thread.definition().kind() == Definition.TracedThread.VIRTUAL,
        thread.definition().tid(),
        thread.definition().javaId(),
        clock.nanos(begin),
        clock.nanos(Math.max(begin, Math.max(thread.last(), counted))),
        thread.counts().calls(),
        log.calls(owner),
        thread.counts().events(),
        thread.gaps().lost(),
        thread.counts().own(),
        thread.counts().depth());
  }
}
