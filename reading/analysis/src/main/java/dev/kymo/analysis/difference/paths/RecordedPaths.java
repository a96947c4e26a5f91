package dev.kymo.analysis.difference.paths;

import dev.kymo.analysis.cause.ProgramWaits;
import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.analysis.cause.TimeUses;
import dev.kymo.analysis.costs.CountedCost;
import dev.kymo.analysis.costs.CountedTrack;
import dev.kymo.analysis.selection.LeftOut;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Paths of calls in one recording, by the roles of its threads. */
public final class RecordedPaths {
  /** Roles that are told apart: names may hold what is different in each thread. */
  private static final int MOST_ROLES = 1000;

  private static final ThreadRole OTHERS = new ThreadRole("", "other threads");

  private final CallPass pass;
  private final NanoClock clock;
  private final MethodKeys keys;
  private final NameKeys names;
  private final Map<ThreadRole, RolePaths> roles = new LinkedHashMap<>();
  private final Map<Integer, String> processes = new HashMap<>();
  private final Set<Integer> leftOut = new HashSet<>();
  private final Function<ThreadCalls, @Nullable ProgramWaits> waits;
  private final Function<ThreadCalls, @Nullable TimeUses> uses;
  private boolean corrected = true;

  private RecordedPaths(
      CallPass pass, NameKeys names, Set<Integer> folded, Predicate<String> watched) {
    this.pass = pass;
    this.clock = pass.nanoClock();
    this.names = names;
    this.keys = new MethodKeys(pass.definitions().methods(), names, folded, watched);
    this.waits = ProgramWaits.read(pass);
    this.uses = ReportedTimes.read(pass, pass.base(), clock -> clock);
    List<TracedProcess> all = pass.definitions().processes();
    for (TracedProcess process : all) {
      processes.put(process.process(), all.size() == 1 ? "" : ThreadRole.process(process));
    }
  }

  /**
   * Reads the events of an opened pass.
   *
   * @param names shared by all recordings that are compared
   * @param folded keys of the methods that have no nodes: {@link #counted}
   * @param watched names of methods of which each call's duration is asked for
   * @param mostNodes of all trees together
   */
  public static RecordedPaths read(
      CallPass pass,
      NameKeys names,
      Set<Integer> folded,
      Predicate<String> watched,
      int mostNodes,
      ProgressListener progress) {
    RecordedPaths paths = new RecordedPaths(pass, names, folded, watched);
    PathSink sink =
        new PathSink(paths::known, paths.roles::values, paths.keys, paths.clock, mostNodes);
    pass.run(sink, RecordedPaths::hasCalls, progress);
    sink.finish();
    paths.finish();
    return paths;
  }

  private static boolean hasCalls(ThreadCalls thread) {
    return TrackKind.of(thread.definition()) == TrackKind.CALLS;
  }

  /**
   * Keys of the methods that were not recorded as events all the time. Nobody knows who made the
   * calls that were counted: to be comparable, all recordings have to do without.
   */
  public static Set<Integer> counted(CallPass pass, NameKeys names) {
    Set<Integer> counted = new HashSet<>();
    for (ModeStep step : pass.steps()) {
      if (step.mode() != MethodMode.EVENTS || step.before() != MethodMode.EVENTS) {
        counted.add(MethodKeys.key(pass.definitions().methods().get(step.method()), names));
      }
    }
    return counted;
  }

  private OfThread known(ThreadCalls thread) {
    RolePaths role = role(thread);
    ProbeCost cost = pass.probeCost(thread.process()).orElse(null);
    corrected &= cost != null;
    return new OfThread(
        role,
        1e9 / pass.clock().frequency(),
        cost == null ? 0 : cost.inside() * 1e-3,
        cost == null ? 0 : cost.outside() * 1e-3,
        waits.apply(thread),
        uses.apply(thread),
        costs(thread, cost));
  }

  private @Nullable CountedCost costs(ThreadCalls thread, @Nullable ProbeCost cost) {
    return cost == null || pass.countsOf(thread).calls(0) == 0
        ? null
        : CountedTrack.of(pass.countsOf(thread), thread, cost, clock)
            .costs(0, Long.MAX_VALUE, clock::ticks);
  }

  private RolePaths role(ThreadCalls thread) {
    String process = processes.getOrDefault(thread.process(), "");
    ThreadRole role = ThreadRole.of(process, thread.definition());
    RolePaths known = roles.get(role);
    if (known != null) {
      return known;
    }
    ThreadRole taken = roles.size() < MOST_ROLES ? role : OTHERS;
    return roles.computeIfAbsent(taken, RolePaths::new);
  }

  private void finish() {
    Map<Integer, Long> lost = new HashMap<>();
    pass.definitions().processes().forEach(p -> lost.put(p.process(), p.lost()));
    BitSet out = LeftOut.between(pass.steps(), Long.MIN_VALUE, Long.MAX_VALUE);
    for (ThreadCalls thread : pass.threads()) {
      if (!hasCalls(thread)) {
        continue;
      }
      boolean counted = pass.counts().calls(thread.index()) > 0;
      if (thread.counts().calls() == 0 && !counted) {
        continue;
      }
      RolePaths role = role(thread);
      role.threads++;
      role.root().calls = 1;
      role.lossy |=
          thread.isLossy(Long.MIN_VALUE, Long.MAX_VALUE)
              || lost.getOrDefault(thread.process(), 0L) > 0;
      if (counted) {
        addCounted(role, thread);
      }
    }
    out.stream().forEach(method -> leftOut.add(keys.of(method)));
  }

  private void addCounted(RolePaths role, ThreadCalls thread) {
    ProbeCost cost = pass.probeCost(thread.process()).orElse(null);
    CountedTrack.of(pass.counts(), thread, cost, clock)
        .between(
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            (method, totals) -> {
              if (!totals.isCalled()) {
                return;
              }
              RolePaths.Counted sums = role.counted(keys.of(method));
              sums.calls += totals.calls();
              sums.self += totals.self();
              sums.error += totals.error();
              sums.atLeast |= totals.unfinished() || totals.untold();
            });
  }

  /** What the threads did, by role. */
  public Collection<RolePaths> roles() {
    return roles.values();
  }

  /** Keys of methods of which nothing was recorded for some of the time. */
  public Set<Integer> leftOut() {
    return leftOut;
  }

  /** Whether it is known what probes cost, so that no time has any of it. */
  public boolean isCorrected() {
    return corrected;
  }

  public String name(int key) {
    return names.name(key);
  }

  public ThreadCalls thread(PathPlace place) {
    return pass.threads().get(place.thread());
  }

  /** Nanoseconds from the first to the last event. */
  public long duration() {
    return clock.nanos(pass.end());
  }

  public long events() {
    return pass.threads().stream().mapToLong(thread -> thread.counts().events()).sum();
  }
}
