package dev.kymo.model;

import dev.kymo.format.Definition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds, for a track of states, the track of the thread that was in them. */
final class Owners {
  /** Who a thread is: by what the virtual machine calls it or, without that, the kernel. */
  private record Key(int process, boolean java, long id) {}

  private final Map<Key, Integer> callTracks = new HashMap<>();

  /** All threads of a timeline, in the order of their tracks. */
  Owners(List<ThreadCalls> threads) {
    for (int track = 0; track < threads.size(); track++) {
      ThreadCalls thread = threads.get(track);
      if (TrackKind.of(thread.definition()) == TrackKind.CALLS) {
        callTracks.put(key(thread.process(), thread.definition()), track);
      }
    }
  }

  private static Key key(int process, Definition.TracedThread thread) {
    boolean java = thread.javaId() != 0;
    return new Key(process, java, java ? thread.javaId() : thread.tid());
  }

  /** Track of the calls of the thread whose states these are; -1 = none, or these are no states. */
  int of(ThreadCalls thread) {
    return of(thread.process(), thread.definition());
  }

  /** Track of the calls of the thread whose states these are; -1 = none, or these are no states. */
  int of(int process, Definition.TracedThread states) {
    boolean known = states.javaId() != 0 || states.tid() != 0;
    return known && TrackKind.of(states) == TrackKind.STATES
        ? callTracks.getOrDefault(key(process, states), -1)
        : -1;
  }
}
