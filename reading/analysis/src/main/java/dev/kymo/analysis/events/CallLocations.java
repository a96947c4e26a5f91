package dev.kymo.analysis.events;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where in the program each thread is while the events of a recording are read in the order of
 * time. After a loss a thread's place is unknown until it enters something.
 */
public final class CallLocations {
  private final RecordedDefinitions definitions;
  private final BitSet spans = new BitSet();
  private int knownEvents;
  private final Map<Track, OpenCalls> tracks = new HashMap<>();
  private @Nullable Map<Owner, Track> owners;
  private int knownThreads;

  /** A thread, and what it is called in a recording. */
  private record Track(int process, int thread) {}

  /**
   * How a track of states names their thread.
   *
   * @param java whether the id is the virtual machine's; the kernel's ids belong to any process
   */
  private record Owner(boolean java, long process, long id) {}

  /** Stands for several threads. */
  private static final Track SEVERAL = new Track(-1, -1);

  /** Nothing is running yet. */
  public CallLocations(RecordedDefinitions definitions) {
    this.definitions = definitions;
  }

  /** A recording that grows gets more of them. */
  private boolean isSpan(int method) {
    if (knownEvents < definitions.events().size()) {
      knownEvents = definitions.events().size();
      definitions.events().forEach(event -> spans.set(event.number()));
    }
    return spans.get(method);
  }

  /** Takes an event. */
  public void take(EventBatch batch, int word) {
    switch (EventBatch.id(word)) {
      case ThreadRecord.ENTER -> {
        int method = method(batch, word).id();
        tracks
            .computeIfAbsent(track(batch), track -> new OpenCalls())
            .enter(method, isSpan(method));
      }
      case ThreadRecord.LEAVE, ThreadRecord.UNWIND -> {
        OpenCalls calls = tracks.get(track(batch));
        if (calls != null) {
          calls.leave(method(batch, word).id());
          if (calls.isEmpty()) {
            tracks.remove(track(batch)); // of a million threads most have ended
          }
        }
      }
      default -> {} // changes nothing
    }
  }

  /** Events of a thread are missing. */
  public void lose(int process, int thread) {
    tracks.remove(new Track(process, thread));
  }

  /**
   * Where the thread is that an event is of, or what its processor runs: the method that is entered
   * or left, else the innermost one that is running; null = unknown. To be asked before the event
   * is taken.
   */
  public @Nullable TracedMethod of(EventBatch batch, int word) {
    Definition.TracedThread thread = definitions.threadOrNameless(batch.process(), batch.thread());
    TrackKind kind = TrackKind.of(thread);
    if (kind == TrackKind.STATES) {
      return thread.javaId() == 0
          ? null
          : ofOwner(new Owner(true, batch.process(), thread.javaId()));
    }
    if (kind == TrackKind.SCHEDULED) {
      return ofKernelThread(thread.javaId(), thread.tid());
    }
    boolean call = EventBatch.id(word) <= ThreadRecord.UNWIND;
    if (kind == TrackKind.JVM || (kind == TrackKind.CPU && call)) {
      return null; // the event says it all
    }
    if (call) {
      TracedMethod method = method(batch, word);
      if (!isSpan(method.id())) {
        return method;
      }
    }
    return of(track(batch));
  }

  /**
   * Where a thread is that the kernel reports on.
   *
   * @param pid 0 = unknown
   */
  public @Nullable TracedMethod ofKernelThread(long pid, int tid) {
    return tid == 0 ? null : ofOwner(new Owner(false, pid, tid));
  }

  /** What the track of an event is in: its innermost call or state; null = unknown. */
  public @Nullable TracedMethod innermost(EventBatch batch) {
    OpenCalls calls = tracks.get(track(batch));
    return calls == null ? null : methodOrNull(calls.innermost());
  }

  private @Nullable TracedMethod of(Track track) {
    OpenCalls calls = tracks.get(track);
    return calls == null ? null : methodOrNull(calls.place());
  }

  private @Nullable TracedMethod ofOwner(Owner owner) {
    Map<Owner, Track> known = owners;
    if (known == null || knownThreads < definitions.threads()) {
      knownThreads = definitions.threads();
      known = new HashMap<>();
      findOwners(known);
      owners = known;
    }
    Track track = known.get(owner);
    return track == null || track.equals(SEVERAL) ? null : of(track);
  }

  /** The kernel uses numbers again; then the place is unknown. */
  private void findOwners(Map<Owner, Track> found) {
    Map<Integer, Integer> pids = new HashMap<>();
    for (TracedProcess process : definitions.processes()) {
      pids.put(process.process(), process.pid());
    }
    definitions.forEachThread((process, thread) -> {
      if (TrackKind.of(thread) != TrackKind.CALLS) {
        return;
      }
      Track track = new Track(process, thread.thread());
      if (thread.javaId() != 0) {
        found.put(new Owner(true, process, thread.javaId()), track);
      }
      if (thread.tid() != 0) {
        int pid = pids.getOrDefault(process, 0);
        found.merge(new Owner(false, 0, thread.tid()), track, CallLocations::same);
        found.merge(new Owner(false, pid, thread.tid()), track, CallLocations::same);
      }
    });
  }

  private static Track same(Track one, Track other) {
    return one.equals(other) ? one : SEVERAL;
  }

  private @Nullable TracedMethod methodOrNull(int number) {
    return number == OpenCalls.NONE ? null : definitions.methods().get(number);
  }

  private TracedMethod method(EventBatch batch, int word) {
    return definitions.methods().get(batch.process(), EventBatch.payload(word));
  }

  private static Track track(EventBatch batch) {
    return new Track(batch.process(), batch.thread());
  }
}
