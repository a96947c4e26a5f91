package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.Definition.TracedThread;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Clocks up to which the streams of a growing recording may be read. A process learns of a state
 * when it is over, and writes it some time later: so streams of states are complete up to an
 * earlier clock than the others, which each process says.
 */
final class LateStates {
  private final WriterWatch writer;

  /** Tracks of states: the process in the upper half, the thread in the lower. */
  private final Set<Long> tracks = new HashSet<>();

  /** Processes with such tracks. */
  private final Set<Integer> processes = new HashSet<>();

  /** Clocks of these processes, once they were asked for; 0 = their states come at once. */
  private final Map<Integer, Long> complete = new HashMap<>();

  private final BitSet known = new BitSet();
  private final BitSet ofStates = new BitSet();
  private long present = Long.MIN_VALUE;

  LateStates(WriterWatch writer) {
    this.writer = writer;
  }

  /** Takes all definitions. */
  void definition(int process, Definition definition) {
    if (definition instanceof TracedThread thread
        && (thread.kind() == TracedThread.STATES || thread.kind() == TracedThread.JVM)) {
      tracks.add(key(process, thread.thread()));
      processes.add(process);
    }
  }

  /**
   * Finds out how far streams are complete; to be asked before they are read.
   *
   * @param clock up to which they are complete, but for states
   */
  void look(long clock) {
    present = clock;
    if (clock != Long.MAX_VALUE) {
      processes.forEach(process -> complete.putIfAbsent(process, 0L));
      writer.states(complete);
    }
  }

  /** Whether it is known if this stream has states. */
  boolean isKnown(ThreadStream stream) {
    return known.get(stream.index());
  }

  /** Clock up to which a stream is complete; what its next events belong to must be defined. */
  long until(ThreadStream stream) {
    int index = stream.index();
    if (!known.get(index)) {
      known.set(index);
      ofStates.set(index, tracks.contains(key(stream.process(), stream.thread())));
    }
    if (!ofStates.get(index) || present == Long.MAX_VALUE) {
      return present;
    }
    long states = complete.getOrDefault(stream.process(), Long.MIN_VALUE); // none: not asked yet
    return states == 0 ? present : Math.min(present, states);
  }

  private static long key(int process, int thread) {
    return (long) process << 32 | Integer.toUnsignedLong(thread);
  }
}
