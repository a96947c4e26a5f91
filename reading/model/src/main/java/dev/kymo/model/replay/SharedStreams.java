package dev.kymo.model.replay;

import dev.kymo.model.calls.ThreadCalls;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups the threads that can only be read together, because their events lie in one stream. */
final class SharedStreams {
  private final RecordingIndex index;

  /** By stream: another stream of the same group; the group's first is its own. */
  private final Map<Integer, Integer> same = new HashMap<>();

  SharedStreams(RecordingIndex index) {
    this.index = index;
  }

  /** Groups threads that have events; groups and their threads stay in the order of the threads. */
  Collection<List<ThreadCalls>> groups(List<ThreadCalls> threads) {
    for (ThreadCalls thread : threads) {
      int[] streams = index.of(thread).streams();
      for (int stream : streams) {
        same.put(first(stream), first(streams[0]));
      }
    }
    Map<Integer, List<ThreadCalls>> groups = new LinkedHashMap<>();
    for (ThreadCalls thread : threads) {
      int group = first(index.of(thread).streams()[0]);
      groups.computeIfAbsent(group, g -> new ArrayList<>()).add(thread);
    }
    return groups.values();
  }

  private int first(int stream) {
    int at = stream;
    int next = same.getOrDefault(at, at);
    while (next != at) {
      int after = same.getOrDefault(next, next);
      same.put(at, after); // so that the next search is shorter
      at = next;
      next = after;
    }
    return at;
  }
}
