package dev.kymo.server;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.index.Annex;
import dev.kymo.model.replay.Overview;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Gap;
import dev.kymo.model.timeline.SliceSink;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** A recording made of calls that a test knows, in memory, with the simplest code that is right. */
public class FakeTimeline implements Timeline {
  private final Annex annex = Annex.inMemory();
  private final String name;
  private final long duration;
  private final List<TracedProcess> processes = new ArrayList<>();
  private final List<TracedMethod> methods = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> oddities = new ArrayList<>();

  private Optional<Path> directory = Optional.empty();
  private boolean growing;

  private Runnable beforeSlices = () -> {};

  public FakeTimeline(String name, long duration) {
    this.name = name;
    this.duration = duration;
  }

  /** One call. */
  record Call(int depth, int method, long begin, long end, int flags) {
    boolean covers(long time) {
      return begin <= time && (time < end || time == begin);
    }
  }

  /** One thread, to be filled. */
  public static final class Thread {
    private final String name;
    private final int process;
    private final boolean virtual;
    private final SortedMap<Integer, List<Call>> depths = new TreeMap<>();
    private final List<Gap> gaps = new ArrayList<>();

    Thread(String name, int process, boolean virtual) {
      this.name = name;
      this.process = process;
      this.virtual = virtual;
    }

    public Thread call(int depth, int method, long begin, long end) {
      return call(depth, method, begin, end, 0);
    }

    public Thread call(int depth, int method, long begin, long end, int flags) {
      depths
          .computeIfAbsent(depth, _ -> new ArrayList<>())
          .add(new Call(depth, method, begin, end, flags));
      return this;
    }

    Thread gap(long from, long to, long lost) {
      gaps.add(new Gap(from, to, lost));
      return this;
    }

    private Track track(int id) {
      List<Call> outer = depths.getOrDefault(0, List.of());
      long begin = outer.isEmpty() ? 0 : outer.getFirst().begin();
      long end = outer.isEmpty() ? 0 : outer.getLast().end();
      int calls = depths.values().stream().mapToInt(List::size).sum();
      long lost = gaps.stream().mapToLong(Gap::lost).sum();
      int tid = virtual ? 0 : 1000 + id;
      int depth = depths.isEmpty() ? 0 : depths.lastKey() + 1;
      return new Track(
          id,
          process,
          id,
          TrackKind.CALLS,
          -1,
          name,
          virtual,
          tid,
          id + 1L,
          begin,
          end,
          calls,
          0,
          2L * calls,
          lost,
          0,
          depth);
    }
  }

  /** Something that happens when slices are asked for. */
  void beforeSlices(Runnable what) {
    beforeSlices = what;
  }

  public int process(int pid, String command) {
    int number = processes.size();
    processes.add(new TracedProcess(number, pid, 1, command, "Fake VM 25", "ended", 0, 0));
    return number;
  }

  public int method(String type, String method, String descriptor) {
    int id = methods.size();
    String source = type.substring(type.lastIndexOf('.') + 1) + ".java";
    methods.add(new TracedMethod(id, 0, type, method, descriptor, "app", source, 10 + id));
    return id;
  }

  public Thread thread(String threadName, int process, boolean virtual) {
    Thread thread = new Thread(threadName, process, virtual);
    threads.add(thread);
    return thread;
  }

  public void keepIn(Path folder) {
    directory = Optional.of(folder);
  }

  void grow() {
    growing = true;
  }

  void oddity(String sentence) {
    oddities.add(sentence);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<Path> directory() {
    return directory;
  }

  @Override
  public boolean growing() {
    return growing;
  }

  @Override
  public long duration() {
    return duration;
  }

  @Override
  public long wallBegin() {
    return 1_760_000_000_000_000_000L;
  }

  @Override
  public List<TracedProcess> processes() {
    return processes;
  }

  @Override
  public List<Track> tracks() {
    List<Track> tracks = new ArrayList<>();
    for (int i = 0; i < threads.size(); i++) {
      tracks.add(threads.get(i).track(i));
    }
    return tracks;
  }

  @Override
  public int methods() {
    return methods.size();
  }

  @Override
  public TracedMethod method(int method) {
    return methods.get(method);
  }

  @Override
  public void slices(
      int track, long from, long to, long resolution, IntPredicate wanted, SliceSink sink) {
    beforeSlices.run();
    SortedMap<Integer, List<Call>> shown = new TreeMap<>(threads.get(track).depths);
    shown.keySet().removeIf(depth -> !wanted.test(depth));
    for (List<Call> calls : shown.values()) {
      List<Call> run = new ArrayList<>();
      for (Call call : calls) {
        if (call.end() < from || call.begin() > to) {
          continue;
        }
        boolean near = !run.isEmpty() && call.begin() - run.getLast().end() < resolution;
        if (!near || call.end() - call.begin() >= resolution) {
          report(run, sink);
        }
        run.add(call);
        if (call.end() - call.begin() >= resolution) {
          report(run, sink);
        }
      }
      report(run, sink);
    }
  }

  private static void report(List<Call> run, SliceSink sink) {
    if (run.isEmpty()) {
      return;
    }
    Call longest =
        run.stream().max(Comparator.comparingLong(c -> c.end() - c.begin())).orElseThrow();
    int flags = run.stream().mapToInt(Call::flags).reduce(0, (a, b) -> a | b);
    sink.slice(
        longest.depth(),
        longest.method(),
        run.getFirst().begin(),
        run.getLast().end(),
        run.size(),
        flags);
    run.clear();
  }

  @Override
  public Optional<CallDetail> call(int track, int depth, long time) {
    Optional<Call> found = find(track, depth, time);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Call call = found.get();
    List<Call> children =
        threads.get(track).depths.getOrDefault(depth + 1, List.of()).stream()
            .filter(c -> c.begin() >= call.begin() && c.end() <= call.end())
            .toList();
    long childTime = children.stream().mapToLong(c -> c.end() - c.begin()).sum();
    List<CallDetail.Caller> callers = new ArrayList<>();
    for (int d = 0; d < depth; d++) {
      Call caller = find(track, d, call.begin()).orElseThrow();
      callers.add(new CallDetail.Caller(caller.method(), caller.begin(), caller.end()));
    }
    return Optional.of(
        new CallDetail(
            track,
            call.method(),
            depth,
            call.begin(),
            call.end(),
            children.size(),
            childTime,
            call.flags(),
            callers,
            0,
            -1));
  }

  private Optional<Call> find(int track, int depth, long time) {
    return threads.get(track).depths.getOrDefault(depth, List.of()).stream()
        .filter(c -> c.covers(time))
        .findFirst();
  }

  @Override
  public void calls(int track, long from, long to, CallVisitor visitor) {
    withNested(threads.get(track)).stream()
        .filter(c -> c.end() >= from && c.begin() <= to)
        .sorted(Comparator.comparingLong(Call::end).thenComparingInt(c -> -c.depth()))
        .forEach(c -> visitor.call(c.depth(), c.method(), c.begin(), c.end(), c.flags()));
  }

  /** All calls in the order of their begins; those inside one of the same method say so. */
  private static List<Call> withNested(Thread thread) {
    List<Call> calls = new ArrayList<>();
    thread.depths.values().forEach(calls::addAll);
    calls.sort(Comparator.comparingLong(Call::begin).thenComparingInt(Call::depth));
    Map<Integer, Integer> open = new HashMap<>();
    calls.replaceAll(c -> {
      open.put(c.depth(), c.method());
      boolean nested = false;
      for (int depth = 0; depth < c.depth(); depth++) {
        nested |= open.getOrDefault(depth, -1) == c.method();
      }
      int flags = c.flags() | (nested ? CallCursor.NESTED : 0);
      return new Call(c.depth(), c.method(), c.begin(), c.end(), flags);
    });
    return calls;
  }

  @Override
  public Overview overview() {
    long width = Math.max(1, duration / 1000);
    long[] events = new long[(int) (duration / width) + 1];
    long[] lost = new long[events.length];
    for (Thread thread : threads) {
      for (Call call : thread.depths.values().stream().flatMap(List::stream).toList()) {
        events[(int) (call.begin() / width)]++;
        events[(int) (call.end() / width)]++;
      }
      for (Gap gap : thread.gaps) {
        lost[(int) (gap.from() / width)] += Math.max(0, gap.lost());
      }
    }
    return new Overview(width, events, lost);
  }

  @Override
  public List<Gap> gaps(int track, long from, long to) {
    return threads.get(track).gaps.stream().filter(g -> g.to() >= from && g.from() <= to).toList();
  }

  @Override
  public Annex annex() {
    return annex;
  }

  @Override
  public List<String> oddities() {
    return oddities;
  }

  @Override
  public void close() {}
}
