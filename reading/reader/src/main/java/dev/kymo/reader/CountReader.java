package dev.kymo.reader;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;

/** Reads what was counted of one process, in the order in which it was written. */
public final class CountReader extends ExtendedStream<CountRecord> {
  CountReader(StreamSource file, StreamRules rules, Diagnostics diagnostics) {
    super(file, rules, diagnostics, CountRecord.MAX_SIZE, Oddity.BAD_COUNT);
  }

  @Override
  CountRecord get(ByteBuffer from, int id) {
    if (id != CountRecord.COUNTED && id != CountRecord.SPENT) {
      throw new IllegalArgumentException("unknown id: id=" + Integer.toUnsignedString(id));
    }
    CountRecord count = CountRecord.get(from, id);
    boolean counted =
        count.mode() == Definition.MethodMode.TIMED
            || count.mode() == Definition.MethodMode.SAMPLED
            || (count.mode() == Definition.MethodMode.EVENTS && id == CountRecord.SPENT);
    if (!counted) {
      throw new IllegalArgumentException("no mode that counts: mode=" + count.mode());
    }
    if (count.method() < 0 || count.method() > ThreadRecord.MAX_PAYLOAD) {
      throw new IllegalArgumentException("no such method: method=" + count.method());
    }
    if (count.calls() < 0 || count.timed() < 0 || count.ticks() < 0 || count.durations() < 0) {
      throw new IllegalArgumentException(
          "negative number: calls=%d timed=%d ticks=%d durations=%d"
              .formatted(count.calls(), count.timed(), count.ticks(), count.durations()));
    }
    CountRecord.Spent spent = count.spent();
    if (spent != null && Math.min(spent.total(), spent.self()) < 0) {
      throw new IllegalArgumentException(
          "negative time: total=%d self=%d".formatted(spent.total(), spent.self()));
    }
    return count;
  }
}
