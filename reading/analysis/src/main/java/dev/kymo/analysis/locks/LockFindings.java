package dev.kymo.analysis.locks;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The longest waits and the possible deadlocks, with the places that a second reading finds. */
record LockFindings(
    List<LockWait> forLocks, List<LockWait> forOthers, List<LockCycle> cycles, boolean moreCycles) {
  static final LockFindings NONE = new LockFindings(List.of(), List.of(), List.of(), false);

  /** Finds the places of all that is worth telling. */
  static LockFindings of(
      Recording recording,
      LockQuery query,
      List<LockObject> objects,
      LockCycles cycles,
      Map<ThreadCalls, ThreadCalls> owners,
      ProgressListener progress) {
    Search search = new Search(CallPass.open(recording), owners);
    List<FoundWait> locks = search.longest(objects, query, object -> object.kind.isOwned());
    List<FoundWait> others = search.longest(objects, query, object -> !object.kind.isOwned());
    List<List<FoundStep>> steps =
        cycles.all().stream()
            .filter(
                cycle -> cycle.stream().anyMatch(c -> query.objects().test(c.edge().held.label())))
            .map(cycle -> cycle.stream().map(search::step).toList())
            .toList();
    search.run(progress);
    return new LockFindings(
        locks.stream().map(search::wait).toList(),
        others.stream().map(search::wait).toList(),
        steps.stream()
            .map(cycle -> new LockCycle(cycle.stream().map(search::step).toList()))
            .toList(),
        cycles.isCut());
  }

  private record FoundWait(LongWait of, ThreadCalls thread, LockMoments.Moment moment) {}

  private record FoundStep(
      LockCycles.Choice choice, LockMoments.Moment held, LockMoments.Moment wanted) {}

  /** Collects moments, reads, and reports what was found. */
  private static final class Search {
    private final CallPass pass;
    private final NanoClock clock;
    private final Map<ThreadCalls, ThreadCalls> owners;
    private final List<LockMoments.Moment> moments = new ArrayList<>();

    Search(CallPass pass, Map<ThreadCalls, ThreadCalls> owners) {
      this.pass = pass;
      this.clock = pass.nanoClock();
      this.owners = owners;
    }

    void run(ProgressListener progress) {
      if (!moments.isEmpty()) {
        LockMoments.find(pass, moments, progress);
      }
    }

    List<FoundWait> longest(
        List<LockObject> objects, LockQuery query, Predicate<LockObject> wanted) {
      return objects.stream()
          .filter(wanted)
          .filter(object -> query.objects().test(object.label()))
          .flatMap(object -> object.sums.longest().stream())
          .sorted(LongWait.SHORTEST_FIRST.reversed())
          .limit(query.longest())
          .map(this::found)
          .toList();
    }

    private FoundWait found(LongWait wait) {
      ThreadCalls thread = owners.getOrDefault(wait.thread(), wait.thread());
      return new FoundWait(wait, thread, moment(wait.begin(), thread, wait));
    }

    private LockMoments.Moment moment(long at, ThreadCalls thread, @Nullable LongWait wait) {
      LockMoments.Moment moment = new LockMoments.Moment(at, thread, wait);
      moments.add(moment);
      return moment;
    }

    FoundStep step(LockCycles.Choice choice) {
      LockEdge.Example example = choice.example();
      return new FoundStep(
          choice,
          moment(example.heldAt(), example.thread(), null),
          moment(example.wantedAt(), example.thread(), null));
    }

    LockWait wait(FoundWait found) {
      LongWait wait = found.of();
      return new LockWait(
          wait.object().label(),
          found.thread(),
          clock.nanos(wait.begin()),
          clock.duration(wait.time()),
          wait.acquired(),
          wait.open(),
          place(wait.thread(), wait.begin(), found.moment().calls, wait.caller()),
          Optional.ofNullable(found.moment().holder).map(this::holder),
          Optional.ofNullable(wait.releaser()).map(by -> thread(wait, by)));
    }

    /** The thread itself, where its states are named. */
    private TracedThread thread(LongWait wait, TracedThread named) {
      if (TrackKind.of(named) != TrackKind.STATES) {
        return named;
      }
      List<TracedThread> found = new ArrayList<>();
      pass.definitions()
          .forEachThread((process, thread) -> {
            boolean same =
                named.javaId() != 0
                    ? thread.javaId() == named.javaId()
                    : named.tid() != 0 && thread.tid() == named.tid();
            boolean calls = TrackKind.of(thread) == TrackKind.CALLS;
            if (same && calls && process == wait.thread().process()) {
              found.add(thread);
            }
          });
      return found.size() == 1 ? found.getFirst() : named;
    }

    private LockWait.Holder holder(LockMoments.Holder holder) {
      return new LockWait.Holder(
          holder.thread(),
          clock.nanos(holder.since()),
          place(holder.thread(), holder.at(), holder.calls(), holder.caller()));
    }

    LockCycle.Step step(FoundStep found) {
      LockEdge edge = found.choice().edge();
      LockEdge.Example example = found.choice().example();
      return new LockCycle.Step(
          edge.held.label(),
          edge.heldShared,
          edge.wanted.label(),
          edge.wantedShared,
          example.thread(),
          place(example.thread(), example.heldAt(), found.held().calls, example.heldCaller()),
          place(example.thread(), example.wantedAt(), found.wanted().calls, example.wantedCaller()),
          example.open());
    }

    private LockPlace place(ThreadCalls thread, long at, List<Integer> calls, long caller) {
      List<TracedMethod> methods =
          calls.stream().map(method -> pass.definitions().methods().get(method)).toList();
      TracedMethod code = pass.definitions().places().get(thread.process(), caller);
      return new LockPlace(clock.nanos(at), methods, caller, Optional.ofNullable(code));
    }
  }
}
