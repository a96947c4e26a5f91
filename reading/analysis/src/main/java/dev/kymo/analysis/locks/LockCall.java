package dev.kymo.analysis.locks;

import dev.kymo.format.ThreadRecord;
import dev.kymo.reader.EventBatch;
import java.nio.ByteBuffer;
import java.util.List;

/** One operation of a thread library, as its event reports it. The same object serves for all. */
final class LockCall {
  private static final int OWNER_DIED = 130;
  private static final int LAST_AT_BARRIER = -1;

  long clock;

  /** Addresses. */
  long object;

  long mutex;
  long caller;
  int result;

  /** Clock ticks. */
  long waited;

  boolean shared;

  /** Whether it takes the object only if that is possible at once. */
  boolean tries;

  /** Takes an event; false if its data are not what they should be. */
  boolean read(LockEvent event, long at, EventBatch batch, int word) {
    if (EventBatch.id(word) != ThreadRecord.EVENT_DATA) {
      return false;
    }
    ByteBuffer data = batch.data(word);
    LockEvent.Places places = event.places();
    clock = at;
    object = number(data, places.object());
    caller = number(data, places.caller());
    waited = Math.clamp(number(data, places.waited()), 0, at);
    mutex = number(data, places.mutex());
    int place = places.result();
    result = place >= 0 && place + Integer.BYTES <= data.limit() ? data.getInt(place) : 0;
    shared = event.shared();
    tries = event.deed() == LockEvent.Deed.TRY;
    if (isLastAtBarrier(event.kind())) {
      waited = 0; // it only took a moment to let the others go on
    }
    return data.limit() >= Long.BYTES;
  }

  private static long number(ByteBuffer data, int place) {
    return place >= 0 && place + Long.BYTES <= data.limit() ? data.getLong(place) : 0;
  }

  /** The name that an event gives to its object; empty = none. */
  static String name(LockEvent event, EventBatch batch, int word) {
    List<Object> values = event.event().values(batch, word);
    return values.size() == 2 && values.get(1) instanceof String name ? name : "";
  }

  /** Whether the thread is the one that lets all others at a barrier go on. */
  boolean isLastAtBarrier(LockKind kind) {
    return kind == LockKind.BARRIER && result == LAST_AT_BARRIER;
  }

  /** Whether the thread has got what it wanted. */
  boolean acquired(LockKind kind) {
    return switch (kind) {
      case MUTEX -> result == 0 || result == OWNER_DIED;
      case BARRIER -> result == 0 || result == LAST_AT_BARRIER;
      default -> result == 0;
    };
  }
}
