package dev.kymo.analysis.difference.paths;

import dev.kymo.analysis.cause.ProgramWaits;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds the trees of a recording while its calls come, thread by thread or mixed. Memory is
 * bounded: when there are too many nodes, those of the smaller half that have no running call are
 * left out, and their callers know how much that was.
 */
final class PathSink implements CallSink, ProgramWaits.Visitor {
  /** Calls with more calls around them than this are part of those. */
  private static final int DEEPEST = 512;

  private static final int ODD =
      Slice.OPEN_BEGIN | Slice.OPEN_END | Slice.INFERRED_END | Slice.LOSSY;

  private final Function<ThreadCalls, OfThread> facts;
  private final Supplier<Collection<RolePaths>> roles;
  private final MethodKeys keys;
  private final NanoClock clock;
  private final int mostNodes;
  private int nodes;
  private @Nullable Frames[] byThread = {};
  private @Nullable Frames spare;
  private @Nullable ThreadCalls current;
  private @Nullable Frames frames;
  private @Nullable PathNode ended;

  /**
   * Nothing yet.
   *
   * @param facts what is known of a thread; asked when it begins
   * @param roles those that facts were asked of
   */
  PathSink(
      Function<ThreadCalls, OfThread> facts,
      Supplier<Collection<RolePaths>> roles,
      MethodKeys keys,
      NanoClock clock,
      int mostNodes) {
    this.facts = facts;
    this.roles = roles;
    this.keys = keys;
    this.clock = clock;
    this.mostNodes = mostNodes;
  }

  @Override
  public void enter(ThreadCalls thread, int depth, int method, long at) {
    enter(of(thread), method);
  }

  private void enter(Frames of, int method) {
    PathNode top = of.top();
    if (keys.isFolded(method) || top.depth >= DEEPEST) {
      of.enter(null);
      return;
    }
    int key = keys.of(method);
    PathNode node = top.child(key);
    if (node == null) {
      node = top.add(key);
      of.enter(node);
      if (++nodes > mostNodes) {
        prune();
      }
    } else {
      of.enter(node);
    }
  }

  @Override
  public void call(CallCursor call) {
    Frames of = of(call.thread());
    while (of.depth() <= call.depth()) {
      enter(of, call.method()); // nobody saw it begin
    }
    if (keys.isWatched(call.method()) && !call.is(ODD)) {
      of.thread()
          .role()
          .watched(keys.of(call.method()))
          .addDuration(clock.duration(call.end() - call.begin()));
    }
    boolean nested = call.is(CallCursor.NESTED);
    PathNode node = of.leave(call.begin(), call.end(), nested);
    if (node != null) {
      add(node, of, call);
    } else if (keys.isFolded(call.method())) {
      RolePaths.Counted counted = of.thread().role().counted(keys.of(call.method()));
      counted.calls++;
      double probes = of.thread().inside() + call.children() * of.thread().outside();
      double own = (call.end() - call.begin() - call.childTime()) * of.thread().nanosPerTick();
      counted.self += Math.max(0, own - probes);
    }
  }

  private void add(PathNode node, Frames of, CallCursor call) {
    node.calls++;
    node.self += of.self;
    node.waited += of.waited;
    node.probes += of.probes;
    if (of.waited > 0) {
      ended = node;
      of.waits(call.begin(), call.end(), this);
    }
    if (call.is(Slice.LOSSY)) {
      node.lossy++;
    }
    if (!call.is(ODD) && node.samples.wants()) {
      node.samples.add(Math.max(0, of.self - of.idle), of.waited);
    }
    node.firstBegin = Math.min(node.firstBegin, call.begin());
    node.lastEnd = Math.max(node.lastEnd, call.end());
    long time = call.end() - call.begin();
    if (time > node.longest) {
      node.longest = time;
      node.longestBegin = call.begin();
      node.longestThread = call.thread().index();
      node.longestDepth = call.depth();
    }
  }

  @Override
  public void wait(int state, long time) {
    PathNode node = ended;
    Frames of = frames;
    if (node != null && of != null) {
      node.addWait(keys.ofState(state), time * of.thread().nanosPerTick());
    }
  }

  private Frames of(ThreadCalls thread) {
    Frames same = frames;
    return thread == current && same != null ? same : change(thread);
  }

  private Frames change(ThreadCalls thread) {
    ThreadCalls before = current;
    Frames left = frames;
    if (before != null && left != null && left.depth() == 0) {
      left.end();
      byThread[before.index()] = null;
      spare = left;
    }
    int index = thread.index();
    if (index >= byThread.length) {
      byThread = Arrays.copyOf(byThread, Math.max(index + 1, byThread.length * 2));
    }
    Frames found = byThread[index];
    if (found == null) {
      OfThread known = facts.apply(thread);
      found = spare;
      if (found == null) {
        found = new Frames(known);
      } else {
        found.begin(known);
        spare = null;
      }
      byThread[index] = found;
    }
    current = thread;
    frames = found;
    return found;
  }

  /** All calls have come. */
  void finish() {
    for (Frames of : byThread) {
      if (of != null) {
        of.end();
      }
    }
    List<PathNode> work = new ArrayList<>();
    roles.get().forEach(role -> work.add(role.root()));
    while (!work.isEmpty()) {
      PathNode node = work.removeLast();
      if (node.longest >= 0) {
        node.longest = clock.duration(node.longest);
        node.longestBegin = clock.nanos(node.longestBegin);
        node.firstBegin = clock.nanos(node.firstBegin);
        node.lastEnd = clock.nanos(node.lastEnd);
      }
      node.addChildrenTo(work);
    }
  }

  /** Takes time in proportion to the nodes, however deep they are: it may be needed often. */
  private void prune() {
    mark(true);
    List<PathNode> all = new ArrayList<>(nodes + 1);
    roles.get().forEach(role -> all.add(role.root()));
    for (int i = 0; i < all.size(); i++) {
      all.get(i).addChildrenTo(all);
    }
    double least = median(all);
    int left = 0;
    List<PathNode> doomed = new ArrayList<>();
    for (PathNode node : all) {
      if (!node.left) {
        node.addChildrenTo(doomed);
        doomed.removeIf(child -> child.running || child.below > least);
        doomed.forEach(PathSink::leave);
        if (!doomed.isEmpty()) {
          node.fold(doomed);
          doomed.clear();
        }
      }
      left += node.left ? 1 : 0;
    }
    nodes -= left;
    mark(false);
  }

  /**
   * Adds up what is below each node, and returns what is in the middle of that.
   *
   * @param all callers before what they call
   */
  private static double median(List<PathNode> all) {
    for (PathNode node : all) {
      node.below = node.self + node.foldedTime;
    }
    double[] sums = new double[all.size()];
    for (int i = sums.length - 1; i >= 0; i--) {
      PathNode node = all.get(i);
      sums[i] = node.below;
      if (node.parent != null) {
        node.parent.below += node.below;
      }
    }
    Arrays.sort(sums);
    return sums[sums.length / 2];
  }

  private static void leave(PathNode doomed) {
    List<PathNode> work = new ArrayList<>(List.of(doomed));
    while (!work.isEmpty()) {
      PathNode node = work.removeLast();
      node.addChildrenTo(work);
      node.leave();
    }
  }

  private void mark(boolean running) {
    for (Frames of : byThread) {
      if (of != null) {
        of.mark(running);
      }
    }
  }
}
