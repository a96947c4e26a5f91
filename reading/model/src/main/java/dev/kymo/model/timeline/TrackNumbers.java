package dev.kymo.model.timeline;

import dev.kymo.model.calls.StateOwners;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the tracks of threads. */
final class TrackNumbers {
  private final RecordedDefinitions definitions;
  private final StateOwners owners;
  private final Map<Long, Integer> byThread = new HashMap<>();
  private final int[] byIndex;
  private final int[] processes;

  /** All threads of a timeline, in the order of their tracks. */
  TrackNumbers(List<ThreadCalls> threads, RecordedDefinitions definitions) {
    this.definitions = definitions;
    owners = new StateOwners(threads, definitions);
    int indexes = threads.stream().mapToInt(ThreadCalls::index).max().orElse(-1) + 1;
    byIndex = new int[indexes];
    processes = new int[indexes];
    java.util.Arrays.fill(byIndex, -1);
    for (int track = 0; track < threads.size(); track++) {
      ThreadCalls thread = threads.get(track);
      byThread.put(RecordedDefinitions.key(thread.process(), thread.thread()), track);
      byIndex[thread.index()] = track;
      processes[thread.index()] = thread.process();
    }
  }

  StateOwners owners() {
    return owners;
  }

  /** By {@link ThreadCalls#index()}; -1 = it has no track. */
  int of(int index) {
    return index < byIndex.length ? byIndex[index] : -1;
  }

  /** By {@link RecordedDefinitions#key}; -1 = it has none. */
  int ofKey(long thread) {
    return byThread.getOrDefault(thread, -1);
  }

  /** Of the thread that a detail of another one names, or of its calls; -1 = it has none. */
  int other(int index, int thread) {
    return index < processes.length ? ofStates(processes[index], thread) : -1;
  }

  /** Of a thread of states, or of its calls; -1 = it has none. */
  int ofStates(int process, int thread) {
    if (thread == 0) {
      return -1;
    }
    int track = byThread.getOrDefault(RecordedDefinitions.key(process, thread), -1);
    return track >= 0
        ? track
        : definitions.thread(process, thread).map(states -> owners.of(process, states)).orElse(-1);
  }
}
