package dev.kymo.model.calls;

import dev.kymo.format.Definition;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the track of the thread that a track of states belongs to, also for what the virtual
 * machine reports about one thread. States that the program reports name a thread of their own
 * process. States that the kernel reports name a thread of any process, by the kernel's numbers.
 */
public final class StateOwners {
  /** Identifies a thread: by the virtual machine's number or, without one, the kernel's. */
  private record Key(int process, boolean java, long id) {}

  private final List<ThreadCalls> threads;
  private final Map<Integer, Long> pids = new HashMap<>();
  private final Map<Key, Integer> callTracks = new HashMap<>();

  /** By the kernel's number of the thread: tracks. */
  private final Map<Integer, List<Integer>> platform = new HashMap<>();

  private final Map<Integer, List<Integer>> scheduled = new HashMap<>();

  /** All threads of a timeline, in the order of their tracks. */
  public StateOwners(List<ThreadCalls> threads, RecordedDefinitions definitions) {
    this.threads = threads;
    for (TracedProcess process : definitions.processes()) {
      pids.put(process.process(), (long) process.pid());
    }
    for (int track = 0; track < threads.size(); track++) {
      ThreadCalls thread = threads.get(track);
      Definition.TracedThread definition = thread.definition();
      switch (TrackKind.of(definition)) {
        case CALLS -> {
          callTracks.put(key(thread.process(), definition), track);
          if (definition.kind() == Definition.TracedThread.PLATFORM && definition.tid() != 0) {
            platform.computeIfAbsent(definition.tid(), tid -> new ArrayList<>()).add(track);
          }
        }
        case SCHEDULED ->
            scheduled.computeIfAbsent(definition.tid(), tid -> new ArrayList<>()).add(track);
        case STATES, JVM, CPU -> {} // own nothing
      }
    }
  }

  private static Key key(int process, Definition.TracedThread thread) {
    boolean java = thread.javaId() != 0;
    return new Key(process, java, java ? thread.javaId() : thread.tid());
  }

  /** Track of calls of the thread with these states; -1 = none, or the track has no states. */
  public int of(int track) {
    ThreadCalls thread = threads.get(track);
    Definition.TracedThread definition = thread.definition();
    if (TrackKind.of(definition) != TrackKind.SCHEDULED) {
      return of(thread.process(), definition);
    }
    int owner = nearest(thread, candidates(definition));
    List<Integer> same = scheduled.getOrDefault(definition.tid(), List.of());
    boolean mutual =
        owner >= 0
            && nearest(
                    threads.get(owner), same.stream().filter(other -> fits(other, owner)).toList())
                == track;
    return mutual ? owner : -1;
  }

  /**
   * Track of calls of the thread with these states, which have no track themselves; -1 = none, or
   * they are not states.
   */
  public int of(int process, Definition.TracedThread states) {
    return switch (TrackKind.of(states)) {
      case STATES, JVM -> {
        boolean known = states.javaId() != 0 || states.tid() != 0;
        yield known ? callTracks.getOrDefault(key(process, states), -1) : -1;
      }
      case SCHEDULED -> {
        List<Integer> candidates = candidates(states);
        yield candidates.size() == 1 ? candidates.getFirst() : -1;
      }
      case CALLS, CPU -> -1;
    };
  }

  private List<Integer> candidates(Definition.TracedThread states) {
    return platform.getOrDefault(states.tid(), List.of()).stream()
        .filter(track -> samePid(states, threads.get(track)))
        .toList();
  }

  private boolean fits(int scheduledTrack, int owner) {
    return samePid(threads.get(scheduledTrack).definition(), threads.get(owner));
  }

  /** A process whose number is unknown may be any. */
  private boolean samePid(Definition.TracedThread states, ThreadCalls thread) {
    long pid = pids.getOrDefault(thread.process(), 0L);
    return states.javaId() == 0 || pid == 0 || states.javaId() == pid;
  }

  /**
   * Numbers of threads are used again: of the tracks with one number, this finds the one that was
   * there at the same time for longest or, if none was, the nearest.
   */
  private int nearest(ThreadCalls thread, List<Integer> tracks) {
    int best = -1;
    long most = Long.MIN_VALUE;
    for (int track : tracks) {
      long common = common(thread, threads.get(track));
      if (common > most) {
        best = track;
        most = common;
      }
    }
    return best;
  }

  /** Common time in clock ticks; if negative, their distance. 0 for a thread without events. */
  private static long common(ThreadCalls one, ThreadCalls other) {
    if (one.first() < 0 || other.first() < 0) {
      return 0;
    }
    return Math.min(one.last(), other.last()) - Math.max(one.first(), other.first());
  }
}
