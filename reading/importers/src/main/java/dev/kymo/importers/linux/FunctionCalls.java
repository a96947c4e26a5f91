package dev.kymo.importers.linux;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Calls of the kernel's functions, as its tracers of functions and of their graphs give them. */
public final class FunctionCalls {
  /** A depth that no kernel's stack has. */
  private static final int DEEPEST = 1_000;

  private static final List<EventFields.Field> CALLER = List.of(Fields.of(FieldType.STR, "caller"));

  private final ThreadTracks tracks;
  private final Map<TargetTrack, List<Call>> open = new HashMap<>();

  /** A call that has begun. */
  private record Call(int depth, int function) {}

  public FunctionCalls(Target target) {
    this.tracks = new ThreadTracks(target, "kernel functions");
  }

  private TargetTrack track(int cpu, int tid, String name) throws IOException {
    return tracks.thread(cpu, tid, 0, name);
  }

  private List<Call> open(TargetTrack track) {
    return open.computeIfAbsent(track, none -> new ArrayList<>());
  }

  private static void end(TargetTrack track, List<Call> calls, long clock) throws IOException {
    track.leave(clock, calls.removeLast().function);
  }

  /** A function begins; calls as deep as it, or deeper, have ended unseen. */
  public void enter(int cpu, long clock, int tid, String name, String function, int depth)
      throws IOException {
    TargetTrack track = track(cpu, tid, name);
    List<Call> calls = open(track);
    int level = Math.clamp(depth, 0, DEEPEST);
    while (!calls.isEmpty() && calls.getLast().depth >= level) {
      end(track, calls, clock);
    }
    int number = track.process().function(function);
    track.enter(clock, number);
    calls.add(new Call(level, number));
  }

  public void leave(int cpu, long clock, int tid, String name, String function, int depth)
      throws IOException {
    TargetTrack track = track(cpu, tid, name);
    List<Call> calls = open(track);
    int level = Math.clamp(depth, 0, DEEPEST);
    while (!calls.isEmpty() && calls.getLast().depth > level) {
      end(track, calls, clock);
    }
    if (!calls.isEmpty() && calls.getLast().depth == level) {
      end(track, calls, clock);
    } else {
      track.leave(clock, track.process().function(function)); // its begin was not seen
    }
  }

  /** A function is called of which only the begin is known: its call has no length. */
  public void called(int cpu, long clock, int tid, String name, String function, String caller)
      throws IOException {
    TargetTrack track = track(cpu, tid, name);
    track.span(
        clock, clock, track.process().event("function", function, EventKind.BEGIN, CALLER), caller);
  }

  /** Events are missing: what is called now is no longer known. */
  public void forget(long clock) throws IOException {
    for (Map.Entry<TargetTrack, List<Call>> entry : open.entrySet()) {
      while (!entry.getValue().isEmpty()) {
        end(entry.getKey(), entry.getValue(), clock);
      }
    }
  }
}
