package dev.kymo.agent.waits;

import dev.kymo.format.Clock;
import dev.kymo.format.WaitKind;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.platform.AgentLibrary;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sleeps, waits at monitors and pauses of the garbage collector, as the agent's library in C learns
 * them from the virtual machine's tool interface. Unlike the flight recorder it needs no threads,
 * files or start of its own, and so nothing that could fail in the program; but of who let a thread
 * go on it knows only the owner of a monitor that was waited for for long, and the thread that was
 * joined.
 */
final class MonitorEvents implements EventSource {
  /** As in {@code recording/native/agent/waits.h}. */
  private static final int ENTER = 1;

  private static final int WAIT = 2;
  private static final int JOIN = 3;
  private static final int SLEEP = 5;

  private final ProcessRecorder recorder;
  private final Map<Long, Owned> owned = new HashMap<>();
  private int count;
  private boolean dropped;

  /** Who had the monitor that a thread has been waiting for since a time. */
  private record Owned(long since, long owner, @Nullable String name) {}

  private MonitorEvents(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** Begins; null if this virtual machine, or the lack of the library in C, does not allow it. */
  static @Nullable MonitorEvents begin(ProcessRecorder recorder, boolean waits, boolean machine) {
    boolean counter = !recorder.session().clock().equals(Clock.MONOTONIC);
    return AgentLibrary.isLoaded() && AgentLibrary.beginWaits(waits, machine, counter)
        ? new MonitorEvents(recorder)
        : null;
  }

  @Override
  public void readClocks() {
    // it has the recording's
  }

  @Override
  public List<State> take() {
    byte[] bytes = AgentLibrary.takeWaits();
    if (bytes == null) {
      return List.of();
    }
    List<State> states = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int lost = in.readInt();
      if (lost > 0) {
        recorder.states().lose(2 * lost);
      }
      while (in.available() > 0) {
        states.add(read(in));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    count += states.size();
    return states;
  }

  /**
   * Finds out who has the monitors that threads are waiting for, and have not waited for at the
   * last call: so those who waited for less remain unknown.
   */
  void look(ThreadMXBean machine) {
    byte[] bytes = AgentLibrary.entering();
    if (bytes == null || bytes.length == 0) {
      return;
    }
    Map<Long, Long> since = new HashMap<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      since.put(in.getLong(), in.getLong());
    }
    since
        .entrySet()
        .removeIf(each -> {
          Owned known = owned.get(each.getKey());
          return known != null && known.since == each.getValue();
        });
    long[] threads = since.keySet().stream().mapToLong(Long::longValue).toArray();
    for (ThreadInfo thread : machine.getThreadInfo(threads)) {
      if (thread != null && thread.getLockOwnerId() > 0) {
        long id = thread.getThreadId();
        owned.put(
            id,
            new Owned(
                since.getOrDefault(id, 0L), thread.getLockOwnerId(), thread.getLockOwnerName()));
      }
    }
  }

  private State read(DataInputStream in) throws IOException {
    int kind = in.readByte();
    long thread = in.readLong();
    long begin = in.readLong();
    long end = in.readLong();
    int object = in.readInt();
    long other = in.readLong();
    String type = name(in.readUTF());
    String threadName = in.readUTF();
    if (kind == SLEEP) {
      return new State(thread, threadName, begin, end, WaitKind.SLEEP.word(), "", 0, 0, null);
    } else if (kind != ENTER && kind != WAIT && kind != JOIN) {
      return State.ofMachine("GC pauses", begin, end, "GC Pause");
    }
    WaitKind wait = kind == ENTER ? WaitKind.MONITOR : kind == WAIT ? WaitKind.WAIT : WaitKind.JOIN;
    Owned by = kind == ENTER ? owned.get(thread) : null;
    if (by != null && by.since == begin) {
      owned.remove(thread);
      return new State(
          thread, threadName, begin, end, wait.word(), type, object, by.owner, by.name);
    }
    return new State(thread, threadName, begin, end, wait.word(), type, object, other, null);
  }

  /** As {@code Class.getName} has it. */
  private static String name(String signature) {
    String name = signature.replace('/', '.');
    return name.startsWith("L") ? name.substring(1, name.length() - 1) : name;
  }

  @Override
  public List<Load> takeLoads() {
    return new ArrayList<>();
  }

  @Override
  public long complete() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isBroken() {
    return false;
  }

  @Override
  public int commonest() {
    int all = dropped ? 0 : count;
    count = 0;
    return all;
  }

  @Override
  public String dropCommonest() {
    dropped = true;
    AgentLibrary.endWaits();
    return "monitors, sleeps and pauses";
  }

  @Override
  public void close() {
    AgentLibrary.endWaits();
  }
}
