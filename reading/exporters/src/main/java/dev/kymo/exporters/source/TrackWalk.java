package dev.kymo.exporters.source;

import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.MessageArrows;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Hands out what one thread did in a range: calls that overlap it, whole, and what happened in it.
 *
 * <p>A call that has begun waits here until something follows: it may have data, and one that
 * begins before the range may end before it, too.
 */
final class TrackWalk implements CallSink {
  private final RecordedDefinitions definitions;
  private final NanoClock begins;
  private final NanoClock ends;
  private final Selected selected;
  private final ExportSink sink;
  private final Exported exported;
  private final MessageArrows messages;
  private final EndedCall ended = new EndedCall();
  private long[] waitingBegins = new long[16];
  private int[] waitingMethods = new int[16];
  private @Nullable EventData[] waitingData = new EventData[16];
  private int waiting;
  private int open;
  private @Nullable EventData atEnd;
  private long atEndTime;

  TrackWalk(
      RecordedDefinitions definitions,
      NanoClock begins,
      NanoClock ends,
      Selected selected,
      MessageArrows messages,
      Exported exported,
      ExportSink sink) {
    this.definitions = definitions;
    this.begins = begins;
    this.ends = ends;
    this.selected = selected;
    this.messages = messages;
    this.exported = exported;
    this.sink = sink;
  }

  @Override
  public void enter(ThreadCalls thread, int depth, int method, long clock) {
    long time = begins.nanos(clock);
    open++;
    releaseEnd();
    if (time > selected.to()) {
      return;
    }
    if (time >= selected.from()) {
      flush();
    }
    if (waiting == waitingBegins.length) {
      waitingBegins = Arrays.copyOf(waitingBegins, 2 * waiting);
      waitingMethods = Arrays.copyOf(waitingMethods, 2 * waiting);
      waitingData = Arrays.copyOf(waitingData, 2 * waiting);
    }
    waitingBegins[waiting] = time;
    waitingMethods[waiting] = method;
    waitingData[waiting++] = null;
  }

  private void flush() {
    for (int i = 0; i < waiting; i++) {
      sink.begin(waitingBegins[i], waitingMethods[i], waitingData[i]);
    }
    waiting = 0;
  }

  @Override
  public void call(CallCursor call) {
    long begin = begins.nanos(call.begin());
    long end = ends.nanos(call.end());
    boolean entered = call.depth() < open;
    EventData data = atEnd;
    if (data != null && data.event().number() != call.method()) {
      releaseEnd();
      data = null;
    }
    atEnd = null;
    open -= entered ? 1 : 0;
    if (begin > selected.to()) {
      return;
    }
    if (end < selected.from()) {
      waiting -= entered ? 1 : 0;
      return;
    }
    flush();
    if (!entered) { // its end alone was recorded
      sink.begin(begin, call.method(), null);
    }
    ended.take(call, begin, end, data);
    exported.calls++;
    sink.end(ended);
  }

  @Override
  public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
    releaseEnd();
    long time = begins.nanos(clock);
    TracedEvent known = definitions.event(event);
    EventKind kind = EventKind.of(known.kind());
    if (kind == EventKind.BEGIN && isWaiting(event, time)) {
      waitingData[waiting - 1] = EventData.of(known, batch, word);
    } else if (kind == EventKind.END) {
      atEnd = EventData.of(known, batch, word);
      atEndTime = time;
    } else if (selected.overlaps(time, time)) {
      flush();
      if (kind == EventKind.SEND || kind == EventKind.RECEIVE) {
        messages.add(known, batch, word, time, thread.index());
      }
      exported.events++;
      sink.event(time, EventData.of(known, batch, word));
    }
  }

  private boolean isWaiting(int event, long time) {
    return waiting > 0
        && waitingMethods[waiting - 1] == event
        && waitingData[waiting - 1] == null
        && waitingBegins[waiting - 1] == time;
  }

  /** What seemed to end a call does not: it is an event. */
  private void releaseEnd() {
    EventData data = atEnd;
    if (data != null) {
      atEnd = null;
      if (selected.overlaps(atEndTime, atEndTime)) {
        flush();
        exported.events++;
        sink.event(atEndTime, data);
      }
    }
  }

  /** Nothing follows. */
  void finish() {
    releaseEnd();
  }
}
