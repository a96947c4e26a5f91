package dev.kymo.analysis;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.CallPass;
import dev.kymo.model.SchedulerState;
import dev.kymo.model.ThreadCalls;
import dev.kymo.model.Timeline;
import dev.kymo.model.TracedMethod;
import dev.kymo.model.TracedProcess;
import dev.kymo.model.Track;
import dev.kymo.model.TrackKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Finds out what threads did when, from what program, virtual machine and kernel tell of them. */
public final class ToldTimes {
  private static final String WEAVING = "weaving";

  /** What the virtual machine does while all threads stand. */
  private static final Set<String> STOPS = Set.of("GC pauses", "Safepoints");

  /** GC pauses are in one. */
  private static final String SAFEPOINTS = "Safepoints";

  private final SchedulerStates kernel;
  private final IntFunction<TracedMethod> methods;

  private ToldTimes(IntFunction<TracedMethod> methods) {
    this.methods = methods;
    this.kernel = new SchedulerStates(methods);
  }

  /** Whether a state is that Kymo puts probes into a class that the thread loads. */
  public static boolean isWeaving(TracedMethod state) {
    return state.type().equals(WEAVING);
  }

  /** Whether all threads stand while the virtual machine does this. */
  static boolean isSafepoint(TracedMethod work) {
    return work.type().equals(SAFEPOINTS);
  }

  /** What a state is a use of: one of {@link TimeUse}. */
  private int use(TrackKind kind, int depth, int method) {
    return switch (kind) {
      case STATES -> isWeaving(methods.apply(method)) ? TimeUse.WEAVING : TimeUse.WAITING;
      case JVM -> STOPS.contains(methods.apply(method).type()) ? TimeUse.STOPPED : TimeUse.NONE;
      case SCHEDULED -> depth == 0 ? use(kernel.of(method)) : TimeUse.NONE;
      case CALLS, CPU -> TimeUse.NONE;
    };
  }

  private static int use(@Nullable SchedulerState state) {
    return switch (state) {
      case RUNNING -> TimeUse.RUNNING;
      case RUNNABLE -> TimeUse.RUNNABLE;
      case BLOCKED -> TimeUse.BLOCKED;
      case null, default -> TimeUse.NONE;
    };
  }

  /** Of one track of calls; null if nothing is known. In nanoseconds since the begin. */
  static @Nullable TimeUses of(Timeline timeline, Track track, Selection selection) {
    if (track.kind() != TrackKind.CALLS) {
      return null;
    }
    ToldTimes told = new ToldTimes(timeline::method);
    TimeUses uses = new TimeUses(0);
    for (Track other : timeline.tracks()) {
      boolean machine =
          other.kind() == TrackKind.JVM
              && other.of() < 0
              && other.process() == track.process()
              && track.javaId() != 0;
      if (other.of() == track.id() || machine) {
        timeline.calls(
            other.id(),
            selection.from(),
            selection.to(),
            (depth, method, begin, end, flags) -> {
              int use = told.use(other.kind(), depth, method);
              if (use != TimeUse.NONE) {
                uses.add(use, Math.max(0, begin), end);
              }
            });
      }
    }
    return uses.isEmpty() ? null : uses.finish();
  }

  /** Who numbers a thread, and the process that it is of. */
  private enum Named {
    PROGRAM,
    NATIVE,
    KERNEL
  }

  private record Thread(int process, Named by, long id) {}

  /** By thread of calls what it did; nothing where that is not known. In clock ticks. */
  static Function<ThreadCalls, @Nullable TimeUses> read(CallPass pass) {
    ToldTimes told = new ToldTimes(pass.definitions().methods()::get);
    Map<Thread, TimeUses> ofThreads = new HashMap<>();
    Map<Integer, TimeUses> ofProcesses = new HashMap<>();
    pass.readStates((thread, depth, method, begin, end, childTime, children, flags) -> {
      TracedThread of = thread.definition();
      int use = told.use(TrackKind.of(of), depth, method);
      if (use == TimeUse.STOPPED) {
        ofProcesses
            .computeIfAbsent(thread.process(), p -> new TimeUses(pass.base()))
            .add(use, begin, end);
      } else if (use != TimeUse.NONE) {
        ofThreads
            .computeIfAbsent(key(thread.process(), of), t -> new TimeUses(pass.base()))
            .add(use, begin, end);
      }
    });
    Map<Integer, Integer> pids = new HashMap<>();
    for (TracedProcess process : pass.definitions().processes()) {
      pids.put(process.process(), process.pid());
    }
    return new Function<>() {
      private final Map<ThreadCalls, TimeUses> known = new HashMap<>();

      @Override
      public @Nullable TimeUses apply(ThreadCalls thread) {
        TimeUses found = known.computeIfAbsent(thread, this::make);
        return found.isEmpty() ? null : found;
      }

      private TimeUses make(ThreadCalls thread) {
        TimeUses uses = new TimeUses(pass.base());
        TracedThread of = thread.definition();
        uses.add(ofThreads.get(key(thread.process(), of)));
        if (of.tid() != 0) {
          int pid = pids.getOrDefault(thread.process(), 0);
          uses.add(ofThreads.get(new Thread(pid, Named.KERNEL, of.tid())));
        }
        if (of.javaId() != 0) {
          uses.add(ofProcesses.get(thread.process()));
        }
        return uses.finish();
      }
    };
  }

  private static Thread key(int process, TracedThread of) {
    if (of.kind() == TracedThread.SCHEDULED) {
      return new Thread((int) of.javaId(), Named.KERNEL, of.tid());
    }
    return of.javaId() == 0
        ? new Thread(process, Named.NATIVE, of.tid())
        : new Thread(process, Named.PROGRAM, of.javaId());
  }
}
