package dev.kymo.editing.slice;

import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.ThreadStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Copies what one stream has of some threads between two clocks, losses included. */
final class EventCopy implements EventSink {
  private final SliceRange range;
  private final PacketWriter to;
  private final Occurring occurring;
  private final RecordedDefinitions definitions;

  /** Null if all are kept. */
  private final KeptEvents.@Nullable Reader kept;

  /** Where a detail is that waits for the end of its state; 0 = nowhere. */
  private long detail;

  private long detailClock;
  private long events;
  private boolean behind;
  private long lost;
  private boolean lossWritten;
  private @Nullable IntUnaryOperator processes;

  EventCopy(
      SliceRange range, PacketWriter to, Occurring occurring, RecordedDefinitions definitions) {
    this(range, to, occurring, definitions, null);
  }

  /**
   * A copy of some events.
   *
   * @param kept says which; null = all
   */
  EventCopy(
      SliceRange range,
      PacketWriter to,
      Occurring occurring,
      RecordedDefinitions definitions,
      KeptEvents.@Nullable Reader kept) {
    this.kept = kept;
    this.range = range;
    this.to = to;
    this.occurring = occurring;
    this.definitions = definitions;
  }

  /** Gives the processes that events have in their data other numbers. */
  EventCopy renumbering(IntUnaryOperator newNumbers) {
    processes = newNumbers;
    return this;
  }

  /** Copies; returns the number of events. */
  long copy(ThreadStream from) throws IOException {
    EventBatch batch = new EventBatch();
    try {
      while (from.hasNext() && !behind) {
        from.deliver(batch, this);
      }
      return events;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public void events(EventBatch batch) {
    long[] clocks = batch.clocks();
    int end = batch.count();
    behind = clocks[end - 1] > range.to();
    while (end > 0 && clocks[end - 1] > range.to()) {
      end--;
    }
    int begin = 0;
    while (begin < end && clocks[begin] < range.from()) {
      begin++;
    }
    if (kept != null) {
      kept.skip(batch.words(), 0, begin);
    }
    if (begin < end && range.has(batch.process(), batch.thread())) {
      try {
        copy(batch, begin, end);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    } else if (kept != null) {
      kept.skip(batch.words(), begin, end);
    }
  }

  private void copy(EventBatch batch, int begin, int end) throws IOException {
    int[] words = batch.words();
    boolean switched = EventBatch.id(words[begin]) == ThreadRecord.SWITCH;
    // As the recorder began packets, so does the copy: a ring that is passed on begins one.
    if (!switched && (batch.start() || to.belongsToOther(batch.thread()))) {
      to.owner(batch.thread());
    }
    occurring.thread(batch.process(), batch.thread());
    BitSet methods = occurring.methods(batch.process());
    for (int i = begin; i < end; i++) {
      int id = EventBatch.id(words[i]);
      if (kept != null && !isKept(kept, batch, i)) {
        continue;
      }
      events++;
      copy(batch, batch.clocks()[i], words[i]);
      if (EventBatch.isEvent(words[i]) && !definitions.stacks().isEmpty()) {
        keepStack(batch, words[i]);
      }
      if (id < ThreadRecord.SWITCH) {
        methods.set(EventBatch.payload(words[i]));
      }
    }
  }

  /** A detail is kept together with the end of its state, which comes next of the calls. */
  private boolean isKept(KeptEvents.Reader choice, EventBatch batch, int at) throws IOException {
    int word = batch.words()[at];
    int id = EventBatch.id(word);
    if (id == ThreadRecord.DETAIL) {
      detail = batch.details()[EventBatch.payload(word)];
      detailClock = batch.clocks()[at];
      return false;
    }
    if (!KeptEvents.Reader.counts(word)) {
      return true;
    }
    boolean wanted = choice.next();
    if (id <= ThreadRecord.UNWIND && detail != 0) {
      if (wanted && id != ThreadRecord.ENTER) {
        to.detail(detailClock, detail);
        occurring.named(batch.process(), ThreadRecord.detailOther(detail));
        events++;
      }
      detail = 0;
    }
    return wanted;
  }

  private void keepStack(EventBatch batch, int word) {
    int process = batch.process();
    int number = definitions.methods().numbers(process).of(batch.event(word));
    int stack = definitions.event(number).stack(batch, word);
    occurring.stack(process, stack, definitions.stacks());
  }

  private void copy(EventBatch batch, long clock, int word) throws IOException {
    int payload = EventBatch.payload(word);
    switch (EventBatch.id(word)) {
      case ThreadRecord.DETAIL -> {
        long detail = batch.details()[payload];
        to.detail(clock, detail);
        occurring.named(batch.process(), ThreadRecord.detailOther(detail));
      }
      case ThreadRecord.EVENT -> to.event(clock, batch.event(word), batch.argument(word));
      case ThreadRecord.EVENT_DATA -> to.event(clock, batch.event(word), data(batch, word));
      default -> to.event(clock, EventBatch.id(word), payload);
    }
  }

  private ByteBuffer data(EventBatch batch, int word) {
    ByteBuffer data = batch.data(word);
    IntUnaryOperator numbers = processes;
    if (numbers == null || data.remaining() < Integer.BYTES) {
      return data;
    }
    int event = definitions.methods().numbers(batch.process()).of(batch.event(word));
    if (!definitions.event(event).isLink()) {
      return data;
    }
    ByteBuffer renumbered =
        ByteBuffer.allocate(data.remaining()).order(ByteOrder.LITTLE_ENDIAN).put(data).flip();
    return renumbered.putInt(0, numbers.applyAsInt(renumbered.getInt(0)));
  }

  /** A loss is reported once or, if it may concern two threads, twice: the second time with 0. */
  @Override
  public void gap(int process, int thread, long gapFrom, long gapTo, long count) {
    if (count != 0) {
      lost = count;
      lossWritten = false;
    }
    behind |= gapTo > range.to();
    boolean inside = gapFrom <= range.to() && gapTo >= range.from();
    if (inside && !lossWritten && range.has(process, thread)) {
      try {
        occurring.thread(process, thread);
        writeLoss(thread, gapFrom, gapTo);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      lossWritten = true;
    }
  }

  /** All of a loss that reaches beyond the range is in the slice: nobody knows when it was. */
  private void writeLoss(int thread, long gapFrom, long gapTo) throws IOException {
    long begin = Math.max(gapFrom, range.from());
    if (begin > to.clock()) {
      to.empty(begin);
    }
    to.lose(lost);
    to.owner(thread);
    to.empty(Math.min(gapTo, range.to()));
  }
}
