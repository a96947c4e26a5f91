package dev.kymo.model;

import dev.kymo.format.Definition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds, for a track of states, the track of the thread that was in them, and for what the virtual
 * machine tells of one thread that thread's. States that the program tells of name a thread of
 * their own process; those that the kernel tells of name, by process and thread as the kernel
 * numbers them, one of any process.
 */
final class Owners {
  /** Who a thread is: by what the virtual machine calls it or, without that, the kernel. */
  private record Key(int process, boolean java, long id) {}

  private final List<ThreadCalls> threads;
  private final Map<Integer, Long> pids = new HashMap<>();
  private final Map<Key, Integer> callTracks = new HashMap<>();

  /** By the kernel's number of the thread: tracks. */
  private final Map<Integer, List<Integer>> platform = new HashMap<>();

  private final Map<Integer, List<Integer>> scheduled = new HashMap<>();

  /** All threads of a timeline, in the order of their tracks. */
  Owners(List<ThreadCalls> threads, Definitions definitions) {
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

  /** Track of the calls of the thread whose states these are; -1 = none, or these are no states. */
  int of(int track) {
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
   * Track of the calls of a thread that has no track of states itself; -1 = none, or these are no
   * states.
   */
  int of(int process, Definition.TracedThread states) {
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

  /** A process whose number is not known may be any. */
  private boolean samePid(Definition.TracedThread states, ThreadCalls thread) {
    long pid = pids.getOrDefault(thread.process(), 0L);
    return states.javaId() == 0 || pid == 0 || states.javaId() == pid;
  }

  /**
   * Numbers of threads are used again: of the tracks with one number the one that was there at the
   * same time for longest or, if none was, the nearest.
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

  /** Clock ticks; below 0 how far they are apart. One without events says nothing. */
  private static long common(ThreadCalls one, ThreadCalls other) {
    if (one.first() < 0 || other.first() < 0) {
      return 0;
    }
    return Math.min(one.last(), other.last()) - Math.max(one.first(), other.first());
  }
}
