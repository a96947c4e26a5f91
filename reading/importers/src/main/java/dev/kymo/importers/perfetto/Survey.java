package dev.kymo.importers.perfetto;

import dev.kymo.format.Redaction;
import dev.kymo.importers.perfetto.wire.Message;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a whole trace, which may stand anywhere in it: tracks, names, clocks. It is read
 * before the events.
 */
final class Survey {
  private static final int MOST_CPUS = 4096;

  private final Map<Long, TrackFacts> tracks = new HashMap<>();
  private final Map<Integer, String> processes = new HashMap<>();
  private final Map<Integer, String> threads = new HashMap<>();
  private final Map<Integer, Integer> processOf = new HashMap<>();
  private final Clocks clocks = new Clocks();
  private final Redaction redaction;
  private int processors;

  /** Leaves out of command lines what these rules say: they are names of tracks, too. */
  Survey(Redaction redaction) {
    this.redaction = redaction;
  }

  /**
   * A track as it is described.
   *
   * @param pid 0 = of no process
   * @param tid 0 = no thread's
   */
  record TrackFacts(long parent, String name, int pid, int tid, boolean counter) {}

  void packet(Message packet) {
    long sequence = 0;
    Message snapshot = null;
    while (packet.next()) {
      switch (packet.field()) {
        case 1 -> bundle(packet.message());
        case 2 -> tree(packet.message());
        case 6 -> snapshot = packet.message();
        case 10 -> sequence = packet.number();
        case 43 -> process(packet.message());
        case 44 -> thread(packet.message());
        case 60 -> track(packet.message());
        default -> {} // the events come later
      }
    }
    if (snapshot != null) {
      clocks.snapshot(sequence, snapshot);
    }
  }

  private void bundle(Message bundle) {
    while (bundle.next()) {
      if (bundle.field() == 1) {
        processors = Math.clamp(bundle.number() + 1, processors, MOST_CPUS);
      }
    }
  }

  private void tree(Message tree) {
    while (tree.next()) {
      if (tree.field() == 1) {
        process(tree.message(), 3);
      } else if (tree.field() == 2) {
        Message thread = tree.message();
        int tid = 0;
        int pid = 0;
        String name = "";
        while (thread.next()) {
          switch (thread.field()) {
            case 1 -> tid = (int) thread.number();
            case 2 -> name = thread.text();
            case 3 -> pid = (int) thread.number();
            default -> {} // nothing that matters here
          }
        }
        thread(pid, tid, name);
      }
    }
  }

  private void process(Message process, int command) {
    int pid = 0;
    String name = "";
    while (process.next()) {
      if (process.field() == 1) {
        pid = (int) process.number();
      } else if (process.field() == command) {
        name = joined(name, process.text());
      }
    }
    if (pid != 0 && !name.isEmpty()) {
      processes.putIfAbsent(pid, redaction.of(name));
    }
  }

  /** Words of a command line; they are told apart until secrets were left out. */
  private static String joined(String command, String word) {
    return command.isEmpty() ? word : command + Redaction.BETWEEN + word;
  }

  private TrackFacts process(Message process) {
    int pid = 0;
    String name = "";
    String command = "";
    while (process.next()) {
      switch (process.field()) {
        case 1 -> pid = (int) process.number();
        case 2 -> command = joined(command, process.text());
        case 6 -> name = process.text();
        default -> {} // nothing that matters here
      }
    }
    String known = redaction.of(name.isEmpty() ? command : name);
    if (pid != 0 && !known.isEmpty()) {
      processes.put(pid, known);
    }
    return new TrackFacts(0, known, pid, 0, false);
  }

  private TrackFacts thread(Message thread) {
    int pid = 0;
    int tid = 0;
    String name = "";
    while (thread.next()) {
      switch (thread.field()) {
        case 1 -> pid = (int) thread.number();
        case 2 -> tid = (int) thread.number();
        case 5 -> name = thread.text();
        default -> {} // nothing that matters here
      }
    }
    thread(pid, tid, name);
    return new TrackFacts(0, name, pid, tid, false);
  }

  private void thread(int pid, int tid, String name) {
    processOf.put(tid, pid);
    if (!name.isEmpty()) {
      threads.put(tid, name);
    }
  }

  private void track(Message track) {
    long uuid = 0;
    long parent = 0;
    String name = "";
    boolean counter = false;
    TrackFacts of = new TrackFacts(0, "", 0, 0, false);
    while (track.next()) {
      switch (track.field()) {
        case 1 -> uuid = track.number();
        case 2, 10, 13 -> name = track.text();
        case 3 -> of = process(track.message());
        case 4 -> of = thread(track.message());
        case 5 -> parent = track.number();
        case 8 -> counter = true;
        default -> {} // nothing that matters here
      }
    }
    String shown = name.isEmpty() ? of.name : name;
    tracks.put(uuid, new TrackFacts(parent, shown, of.pid, of.tid, counter));
  }

  /** How a track is described; null if it is not. */
  @Nullable TrackFacts track(long uuid) {
    return tracks.get(uuid);
  }

  /** Name of a process; empty if it has none. */
  String process(int pid) {
    return processes.getOrDefault(pid, "");
  }

  /** Name of a thread; empty if it has none. */
  String thread(int tid) {
    return threads.getOrDefault(tid, "");
  }

  /** Process of a thread; 0 = not known. */
  int processOf(int tid) {
    return processOf.getOrDefault(tid, 0);
  }

  /** Threads that are described. */
  Map<Integer, Integer> threads() {
    return processOf;
  }

  Clocks clocks() {
    return clocks;
  }

  /** A bound on the numbers of processors; 0 = there are no events of the kernel. */
  int processors() {
    return processors;
  }
}
