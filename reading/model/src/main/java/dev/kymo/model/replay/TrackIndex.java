package dev.kymo.model.replay;

import dev.kymo.model.calls.Snapshot;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.IndexFile;
import java.util.Arrays;

/** Places of one thread's events, and of the states that are kept to rebuild its calls from. */
final class TrackIndex {
  private static final int ENTRY = 3;

  /** For each state: clock, offset in the file of states, bytes. */
  private long[] states = {};

  private int count;
  private int[] streams = {};
  private int lastStream = -1;
  private long eventsAtState;
  private long allAtState;

  void on(int stream) {
    if (stream == lastStream) {
      return;
    }
    lastStream = stream;
    for (int known : streams) {
      if (known == stream) {
        return;
      }
    }
    streams = Arrays.copyOf(streams, streams.length + 1);
    streams[streams.length - 1] = stream;
  }

  int[] streams() {
    return streams;
  }

  /**
   * Whether it is time for a state.
   *
   * @param events of the thread
   * @param all events of the recording: those of other threads in the same stream are to be read
   *     too
   */
  boolean due(long events, long every, long all, long everyAll) {
    return count == 0 || events - eventsAtState >= every || all - allAtState >= everyAll;
  }

  void kept(long events, long all) {
    eventsAtState = events;
    allAtState = all;
  }

  void add(long clock, long offset, int bytes) {
    int at = count * ENTRY;
    if (at == states.length) {
      states = Arrays.copyOf(states, Math.max(ENTRY, count * 2 * ENTRY));
    }
    states[at] = clock;
    states[at + 1] = offset;
    states[at + 2] = bytes;
    count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Reads the last state that is not later than a clock, or else the first. */
  Snapshot before(long clock, IndexFile file) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (states[middle * ENTRY] <= clock) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return state(Math.max(0, low - 1), file);
  }

  int states() {
    return count;
  }

  Snapshot state(int number, IndexFile file) {
    int at = number * ENTRY;
    return new Snapshot(states[at], file.read(states[at + 1], (int) states[at + 2]));
  }

  void writeTo(ByteWriter to) {
    to.number(streams.length);
    for (int stream : streams) {
      to.number(stream);
    }
    to.number(count);
    long clock = 0;
    long offset = 0;
    for (int i = 0; i < count; i++) {
      int at = i * ENTRY;
      to.number(states[at] - clock).number(states[at + 1] - offset).number(states[at + 2]);
      clock = states[at];
      offset = states[at + 1];
    }
  }

  void readFrom(ByteCursor from) {
    streams = new int[from.count()];
    for (int i = 0; i < streams.length; i++) {
      streams[i] = (int) from.number();
    }
    int states = from.count();
    long clock = 0;
    long offset = 0;
    for (int i = 0; i < states; i++) {
      clock += from.number();
      offset += from.number();
      add(clock, offset, (int) from.number());
    }
  }
}
