package dev.kymo.exporters.barrelfish;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.FollowSink;
import dev.kymo.reader.Follower;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A recording as dumps of a log, from its first event on, also while it is written. Used by one
 * thread.
 *
 * <p>The log has the events of programs' own. A core stands for each thread, and runs the thread as
 * its application; from the 257th thread on, threads share cores.
 */
final class LogStream implements FollowSink, AutoCloseable {
  private final Recording recording;
  private final Follower follower;
  private final LogNumbers numbers;
  private final Taker taker;
  private final RecordedDefinitions definitions = RecordedDefinitions.none();
  private final Dump dump = new Dump();

  /** Application that each core runs, as far as the log says. */
  private final int[] running = new int[LogNumbers.CORES];

  /** By core of an imported log: what the recording says it runs. */
  private final Map<Integer, String> entered = new HashMap<>();

  private final Map<Long, String> named = new HashMap<>();
  private boolean begun;
  private long start;
  private long events;
  private long leftOut;

  interface Taker {
    /** Takes a dump; may wait. */
    void take(byte[] dump) throws IOException;
  }

  private LogStream(Recording recording, LogNumbers numbers, Taker taker) {
    this.recording = recording;
    this.follower = new Follower(recording, new Diagnostics());
    this.numbers = numbers;
    this.taker = taker;
  }

  static LogStream open(Path recording, LogNumbers numbers, Taker taker) throws IOException {
    return new LogStream(Recording.open(recording), numbers, taker);
  }

  /** Hands out what is new; returns whether there may be more. */
  boolean poll() throws IOException {
    try {
      RecordingState state = follower.poll(this);
      flush();
      return state == RecordingState.GROWING;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  long events() {
    return events;
  }

  /** Records that a log has no place for: calls and states. */
  long leftOut() {
    return leftOut;
  }

  @Override
  public void definition(int process, long clock, Definition definition) {
    definitions.add(process, clock, definition);
  }

  @Override
  public void events(EventBatch batch) {
    int core = numbers.core(definitions, batch.process(), batch.thread());
    boolean real = LogNumbers.isCore(definitions, batch.process(), batch.thread());
    for (int i = 0; i < batch.count(); i++) {
      int word = batch.words()[i];
      if (EventBatch.isEvent(word)) {
        if (!real) {
          runThread(core, batch, batch.clocks()[i]);
        }
        event(core, batch, batch.clocks()[i], word);
      } else if (real && EventBatch.id(word) == ThreadRecord.ENTER) {
        int method = EventBatch.payload(word);
        entered.put(core, definitions.methods().get(batch.process(), method).name());
      } else if (!real) {
        leftOut++;
      }
    }
  }

  /** A core that stands for threads switches to this one. */
  private void runThread(int core, EventBatch batch, long at) {
    int application = numbers.application(batch.process(), batch.thread());
    if (running[core] != application) {
      running[core] = application;
      String name = definitions.threadOrNameless(batch.process(), batch.thread()).name();
      name(core, application, name.isBlank() ? "thread_" + batch.thread() : name);
      dump.event(core, at, numbers.switchTo(application));
    }
  }

  private void event(int core, EventBatch batch, long at, int word) {
    int method = definitions.methods().get(batch.process(), batch.event(word)).id();
    TracedEvent event = definitions.event(method);
    long written = numbers.word(definitions, event, batch, word);
    if (LogNumbers.isSwitch(event) && (int) written != 0 && entered.containsKey(core)) {
      name(core, (int) written, entered.getOrDefault(core, ""));
    }
    dump.event(core, at, written);
    events++;
    if (dump.isFull()) {
      flush();
    }
  }

  private void name(int core, int application, String name) {
    boolean isNumber = name.equals(Integer.toHexString(application));
    String before = named.put(((long) core << 32) | (application & 0xffffffffL), name);
    if (!isNumber && !name.equals(before)) {
      dump.application(core, application, name);
    }
  }

  private void flush() {
    if (dump.isEmpty()) {
      return;
    }
    start = begun ? start : dump.first();
    begun = true;
    try {
      taker.take(dump.take(start));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
