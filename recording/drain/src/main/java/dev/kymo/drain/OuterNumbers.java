package dev.kymo.drain;

import dev.kymo.format.DefinitionCodec;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Replaces the numbers of a process and its threads in their definitions. In a container, which has
 * a PID name space of its own, a process knows only the numbers that hold there; kernel events and
 * everybody else on this machine use others. A thread that has ended before this looks gets 0,
 * which is no number, rather than one that means somebody else here.
 */
final class OuterNumbers {
  private static final int PID = DefinitionCodec.HEADER_SIZE + Integer.BYTES;
  private static final int PARENT = PID + Integer.BYTES;
  private static final int THREAD = DefinitionCodec.HEADER_SIZE;
  private static final int TID = THREAD + 2 * Integer.BYTES + Long.BYTES;

  private final int pid;

  /** Of the threads that were there at the last look: number here, number in the container. */
  private final Map<Integer, Integer> running = new HashMap<>();

  private record Asked(int thread, int tid) {}

  private final Map<Asked, Integer> found = new HashMap<>();

  /**
   * The numbers of a process.
   *
   * @param pid its number here; 0 if it has ended
   */
  OuterNumbers(int pid) {
    this.pid = pid;
  }

  /**
   * Replaces numbers in definitions.
   *
   * @param records whole records from the position on, which stays
   */
  void replace(ByteBuffer records) {
    ByteBuffer rest = records.duplicate().order(records.order());
    try {
      while (rest.hasRemaining()) {
        int at = rest.position();
        int kind = rest.getInt(at + 1);
        if (kind == DefinitionCodec.PROCESS) {
          rest.putInt(at + PID, pid).putInt(at + PARENT, parent());
        } else if (kind == DefinitionCodec.THREAD && rest.getInt(at + TID) != 0) {
          rest.putInt(at + TID, outer(rest.getInt(at + THREAD), rest.getInt(at + TID)));
        }
        rest.position(at + DefinitionCodec.HEADER_SIZE);
        DefinitionCodec.skip(rest, kind);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      // damaged: readers report where
    }
  }

  /** A definition is repeated when a thread's name changes, perhaps after its end. */
  private int outer(int thread, int tid) {
    Asked asked = new Asked(thread, tid);
    int known = found.getOrDefault(asked, 0);
    if (known == 0) {
      look();
      known = find(tid);
      found.put(asked, known);
    }
    return known;
  }

  private int find(int tid) {
    for (Map.Entry<Integer, Integer> thread : running.entrySet()) {
      if (thread.getValue() == tid) {
        return thread.getKey();
      }
    }
    return running.containsKey(tid) ? tid : 0; // it sees a /proc that has the numbers of here
  }

  private void look() {
    Set<Integer> there = new HashSet<>();
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Integer.toString(pid), "task"))) {
      for (Path thread : threads) {
        int number = Integer.parseInt(thread.getFileName().toString());
        there.add(number);
        if (!running.containsKey(number)) {
          running.put(number, (int) User.innermost(pid + "/task/" + number));
        }
      }
    } catch (IOException e) {
      // it is ending
    }
    running.keySet().retainAll(there);
  }

  private int parent() {
    try {
      return (int) User.parent(pid);
    } catch (IOException e) {
      return 0;
    }
  }
}
