package dev.kymo.editing.clocks;

import dev.kymo.format.Clock;
import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.StreamParts;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.Recording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Times at which messages were sent and received in a recording, nanoseconds since 1970 by its
 * clock.
 *
 * @param begin of the recording
 * @param end of its last event
 */
public record SentMessages(Map<Key, Times> all, long begin, long end) {
  /** More than this are not looked at. */
  private static final int MOST = 1_000_000;

  /** What tells messages apart: as where arrows are drawn. */
  record Key(String channel, long key) {}

  /** Of the messages with a key, each in the order of time. */
  record Times(List<End> sent, List<End> received) {}

  /**
   * An end of a message.
   *
   * @param position of a part of a stream its first byte; -1 = it is no part
   */
  record End(long time, long position, long bytes) {
    /** Of a message that is no part of a stream. */
    static End whole(long time) {
      return new End(time, -1, 0);
    }

    boolean isPart() {
      return position >= 0;
    }
  }

  public static SentMessages of(Recording recording, ProgressListener progress) {
    CallPass pass = CallPass.open(recording);
    Clock clock = recording.metadata().clock();
    Map<Key, Times> all = new HashMap<>();
    pass.run(
        new CallSink() {
          private int count;

          @Override
          public void call(CallCursor call) {}

          @Override
          public void event(ThreadCalls thread, int event, long at, EventBatch batch, int word) {
            TracedEvent known = pass.definitions().event(event);
            boolean sent = EventKind.SEND.is(known.kind());
            if ((sent || EventKind.RECEIVE.is(known.kind())) && count++ < MOST) {
              Times times =
                  all.computeIfAbsent(
                      new Key(known.subsystem().name(), known.key(batch, word)),
                      key -> new Times(new ArrayList<>(1), new ArrayList<>(1)));
              long time = clock.wallOffset() + clock.nanos(at);
              (sent ? times.sent : times.received).add(end(known, batch, word, time));
            }
          }
        },
        thread -> true,
        progress);
    for (Times times : all.values()) {
      times.sent.sort(Comparator.comparingLong(End::time));
      times.received.sort(Comparator.comparingLong(End::time));
    }
    return new SentMessages(
        all,
        clock.wallOffset() + clock.nanos(pass.base()),
        clock.wallOffset() + clock.nanos(pass.end()));
  }

  private static End end(TracedEvent known, EventBatch batch, int word, long time) {
    return StreamParts.areOf(known)
        ? new End(
            time,
            known.number(batch, word, StreamParts.positionField()),
            known.number(batch, word, StreamParts.bytesField()))
        : End.whole(time);
  }
}
