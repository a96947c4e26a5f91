package dev.kymo.analysis.cause;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.format.SchedulerState;
import dev.kymo.format.WaitKind;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds out what threads did when, from what program, virtual machine and kernel report. */
public final class ReportedTimes {
  /** What the virtual machine does while all threads are stopped. */
  private static final Set<String> STOPS = Set.of("GC pauses", "Safepoints");

  /** GC pauses lie in safepoints. */
  private static final String SAFEPOINTS = "Safepoints";

  private static final String CLASS_LOADING = "Class loading";

  private final SchedulerStates kernel;
  private final IntFunction<TracedMethod> methods;

  private ReportedTimes(IntFunction<TracedMethod> methods) {
    this.methods = methods;
    this.kernel = new SchedulerStates(methods);
  }

  /** Whether in a state Kymo puts probes into a class that the thread loads. */
  public static boolean isWeaving(TracedMethod state) {
    return state.is(WaitKind.WEAVING);
  }

  /** Whether all threads are stopped while the virtual machine does this. */
  static boolean isSafepoint(TracedMethod work) {
    return work.type().equals(SAFEPOINTS);
  }

  /** Whether the virtual machine does this for one thread, which its detail names. */
  static boolean isClassLoading(TracedMethod work) {
    return work.type().equals(CLASS_LOADING);
  }

  /** What a state uses time for: one of {@link TimeUse}. */
  private int use(TrackKind kind, int depth, int method) {
    return switch (kind) {
      case STATES -> isWeaving(methods.apply(method)) ? TimeUse.WEAVING : TimeUse.WAITING;
      case JVM -> {
        TracedMethod work = methods.apply(method);
        yield STOPS.contains(work.type())
            ? TimeUse.STOPPED
            : isClassLoading(work) ? TimeUse.LOADING : TimeUse.NONE;
      }
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

  /** What one track of calls did; null if unknown. Times are nanoseconds since the begin. */
  public static @Nullable TimeUses of(Timeline timeline, Track track, TimelineSelection selection) {
    if (track.kind() != TrackKind.CALLS) {
      return null;
    }
    ReportedTimes told = new ReportedTimes(timeline::method);
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
            new CallVisitor() {
              private int thread = -1;

              @Override
              public void detail(int object, int threadOfNext) {
                thread = threadOfNext;
              }

              @Override
              public void call(int depth, int method, long begin, long end, int flags) {
                int use = told.use(other.kind(), depth, method);
                boolean its = use != TimeUse.LOADING || isOf(timeline, thread, track);
                thread = -1;
                if (use != TimeUse.NONE && its) {
                  uses.add(use, Math.max(0, begin), end);
                }
              }
            });
      }
    }
    return uses.isEmpty() ? null : uses.finish();
  }

  /** Whether the track that a detail names is of a thread of calls. */
  static boolean isOf(Timeline timeline, int named, Track thread) {
    return named == thread.id() || (named >= 0 && timeline.tracks().get(named).of() == thread.id());
  }

  /** Takes what was reported, by the thread or process concerned. */
  private static final class Reader implements CallSink {
    private final CallPass pass;
    private final Map<ThreadKey, TimeUses> ofThreads;
    private final Map<Integer, TimeUses> ofProcesses;
    private final ReportedTimes told;
    private final long origin;
    private final LongUnaryOperator time;

    Reader(
        CallPass pass,
        Map<ThreadKey, TimeUses> ofThreads,
        Map<Integer, TimeUses> ofProcesses,
        long origin,
        LongUnaryOperator time) {
      this.pass = pass;
      this.origin = origin;
      this.time = time;
      this.ofThreads = ofThreads;
      this.ofProcesses = ofProcesses;
      this.told = new ReportedTimes(pass.definitions().methods()::get);
    }

    @Override
    public void call(CallCursor call) {
      TracedThread thread = call.thread().definition();
      int process = call.thread().process();
      int use = told.use(TrackKind.of(thread), call.depth(), call.method());
      switch (use) {
        case TimeUse.NONE -> {}
        case TimeUse.STOPPED ->
            add(ofProcesses.computeIfAbsent(process, p -> new TimeUses(origin)), use, call);
        case TimeUse.LOADING ->
            pass.definitions()
                .thread(process, call.other())
                .ifPresent(whose -> add(process, whose, use, call));
        default -> add(process, thread, use, call);
      }
    }

    private void add(int process, TracedThread thread, int use, CallCursor call) {
      ThreadKey key = ThreadKey.of(process, thread);
      add(ofThreads.computeIfAbsent(key, t -> new TimeUses(origin)), use, call);
    }

    private void add(TimeUses to, int use, CallCursor call) {
      to.add(use, time.applyAsLong(call.begin()), time.applyAsLong(call.end()));
    }
  }

  /**
   * What each thread of calls did; null where that is unknown.
   *
   * @param origin no time is earlier
   * @param time gives the times that are wanted, from the recording's clock
   */
  public static Function<ThreadCalls, @Nullable TimeUses> read(
      CallPass pass, long origin, LongUnaryOperator time) {
    Map<ThreadKey, TimeUses> ofThreads = new HashMap<>();
    Map<Integer, TimeUses> ofProcesses = new HashMap<>();
    pass.readStates(new Reader(pass, ofThreads, ofProcesses, origin, time));
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
        TimeUses uses = new TimeUses(origin);
        TracedThread of = thread.definition();
        uses.add(ofThreads.get(ThreadKey.of(thread.process(), of)));
        if (of.tid() != 0) {
          int pid = pids.getOrDefault(thread.process(), 0);
          uses.add(ofThreads.get(ThreadKey.ofKernel(pid, of.tid())));
        }
        if (of.javaId() != 0) {
          uses.add(ofProcesses.get(thread.process()));
        }
        return uses.finish();
      }
    };
  }
}
