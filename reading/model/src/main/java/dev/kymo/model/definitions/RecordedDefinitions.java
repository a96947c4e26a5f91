package dev.kymo.model.definitions;

import dev.kymo.format.Definition;
import dev.kymo.format.NoticeCode;
import dev.kymo.format.ThreadRecord;
import dev.kymo.reader.DefinitionReader;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the definition streams of a recording say; later definitions replace earlier
 * ones.
 */
public final class RecordedDefinitions {
  private static final String[] ENDS = {"ended", "killed", "stopped"};

  private static final Definition.Subsystem NO_SUBSYSTEM =
      new Definition.Subsystem(0, 0, "", "", "");

  private static final Definition.Type NO_TYPE = new Definition.Type(0, "", "", "");

  private final MethodTable methods = new MethodTable();
  private final CodeLocations places = new CodeLocations(methods);
  private final SampledStacks stacks = new SampledStacks(methods);
  private final Map<Long, Definition.Type> types = new HashMap<>();
  private final Map<Long, Definition.TracedThread> threads = new HashMap<>();
  private final Map<Integer, Definition.TracedProcess> processes = new TreeMap<>();
  private final Map<Integer, Definition.ProcessEnd> ends = new HashMap<>();
  private final List<Definition.Notice> notices = new ArrayList<>();
  private final Map<Integer, Long> clockErrors = new HashMap<>();
  private final List<Definition.Stream> streams = new ArrayList<>();
  private final Map<Integer, Definition.ProbeCost> probeCosts = new TreeMap<>();
  private final Map<Integer, Definition.OwnCost> ownCosts = new TreeMap<>();
  private final Map<Integer, Definition.ProcessorTime> processorTimes = new TreeMap<>();
  private final List<ModeStep> steps = new ArrayList<>();
  private final Map<Integer, Definition.KernelEvent> kernelEvents = new TreeMap<>();
  private final Map<Long, Definition.Subsystem> subsystems = new HashMap<>();
  private final Map<Integer, TracedEvent> events = new TreeMap<>();
  private final Set<Long> named = new HashSet<>();
  private Definition.@Nullable Recording recording;
  private long count;
  private long firstClock = Long.MAX_VALUE;
  private long lastClock;

  private RecordedDefinitions() {}

  public static RecordedDefinitions none() {
    return new RecordedDefinitions();
  }

  public static RecordedDefinitions read(Recording recording, Diagnostics diagnostics) {
    RecordedDefinitions definitions = new RecordedDefinitions();
    definitions.readAll(recording, diagnostics);
    return definitions;
  }

  public void readAll(Recording from, Diagnostics diagnostics) {
    for (StreamSource file : from.definitionStreams()) {
      read(from.definitions(file, diagnostics));
    }
    recording().ifPresent(r -> from.overwrites(r.whenFull().equals("overwrite")));
  }

  private void read(DefinitionReader stream) {
    Map<Integer, Definition.Method> methodsOfProcess = new TreeMap<>();
    List<ModeStep> stepsOfProcess = new ArrayList<>();
    List<Definition.CodeLocation> placesOfProcess = new ArrayList<>();
    Definition definition = stream.next();
    while (definition != null) {
      if (definition instanceof Definition.Method method) {
        count(stream.clock());
        methodsOfProcess.put(method.method(), method); // the last one counts, in this order
      } else if (definition instanceof Definition.CodeLocation place) {
        count(stream.clock());
        placesOfProcess.add(place);
      } else if (definition instanceof Definition.MethodMode mode) {
        count(stream.clock());
        stepsOfProcess.add(step(stream.process(), stream.clock(), mode)); // methods come first
      } else {
        add(stream.process(), stream.clock(), definition);
      }
      definition = stream.next();
    }
    methodsOfProcess.values().forEach(method -> define(stream.process(), method));
    stepsOfProcess.forEach(this::number);
    placesOfProcess.forEach(place -> define(stream.process(), place));
  }

  private static ModeStep step(int process, long clock, Definition.MethodMode mode) {
    return new ModeStep(clock, process, mode.method(), mode.mode(), mode.before(), mode.reason());
  }

  /** Takes a step that has the method's number in its process. */
  private void number(ModeStep step) {
    if (step.method() >= 0 && step.method() <= ThreadRecord.MAX_PAYLOAD) {
      int method = methods.numbers(step.process()).of(step.method());
      steps.add(
          new ModeStep(
              step.time(), step.process(), method, step.mode(), step.before(), step.reason()));
    }
  }

  private void count(long clock) {
    count++;
    firstClock = Math.min(firstClock, clock);
    lastClock = Math.max(lastClock, clock);
  }

  /** Takes one more definition; it replaces an earlier one of the same kind and number. */
  public void add(int process, long clock, Definition definition) {
    count(clock);
    switch (definition) {
      case Definition.Type type -> types.put(key(process, type.type()), type);
      case Definition.Method method -> define(process, method);
      case Definition.TracedThread thread -> threads.put(key(process, thread.thread()), thread);
      case Definition.TracedProcess traced -> processes.put(traced.process(), traced);
      case Definition.ProcessEnd end -> ends.put(end.process(), end);
      case Definition.Notice notice -> take(notice);
      case Definition.Recording whole -> recording = whole;
      case Definition.ProbeCost cost -> probeCosts.put(cost.process(), cost);
      case Definition.OwnCost cost -> ownCosts.put(cost.process(), cost);
      case Definition.ProcessorTime time -> processorTimes.put(time.process(), time);
      case Definition.MethodMode mode -> number(step(process, clock, mode));
      case Definition.Subsystem subsystem ->
          subsystems.put(key(process, subsystem.subsystem()), subsystem);
      case Definition.Event event -> define(process, event);
      case Definition.CodeLocation place -> define(process, place);
      case Definition.Stack stack -> stacks.add(process, stack);
      case Definition.KernelEvent event -> kernelEvents.put(event.event(), event);
      case Definition.Stream stream -> streams.add(stream);
      case Definition.ClockPair pair -> {} // the metadata has what follows from them
    }
  }

  /** While a recording grows, a method's better definition may be read first. */
  private void define(int process, Definition.Method method) {
    long key = key(process, method.method());
    if (method.type() >= Definition.Type.FIRST_OF_NAMES) {
      named.add(key);
    } else if (named.contains(key)) {
      return;
    }
    methods.define(process, method, types.getOrDefault(key(process, method.type()), NO_TYPE));
  }

  private void define(int process, Definition.CodeLocation place) {
    if (place.method() >= 0 && place.method() <= ThreadRecord.MAX_PAYLOAD) {
      places.add(process, place.address(), methods.numbers(process).of(place.method()));
    }
  }

  private void define(int process, Definition.Event event) {
    if (event.event() >= 0 && event.event() <= ThreadRecord.MAX_PAYLOAD) {
      Definition.Subsystem subsystem =
          subsystems.getOrDefault(key(process, event.subsystem()), NO_SUBSYSTEM);
      define(
          process,
          new Definition.Method(event.event(), 0, 0, 0, event.name(), ""),
          subsystem.name());
      int number = methods.numbers(process).of(event.event());
      events.put(number, TracedEvent.of(process, number, event, subsystem, places, stacks));
    }
  }

  private void define(int process, Definition.Method method, String type) {
    methods.define(process, method, new Definition.Type(0, type, "", ""));
  }

  public static long key(int process, int thread) {
    return ((long) process << 32) | (thread & 0xFFFFFFFFL);
  }

  public MethodTable methods() {
    return methods;
  }

  public CodeLocations places() {
    return places;
  }

  /** Where threads were when samples were taken. */
  public SampledStacks stacks() {
    return stacks;
  }

  public Optional<Definition.TracedThread> thread(int process, int thread) {
    return Optional.ofNullable(threads.get(key(process, thread)));
  }

  /** A thread; one that is not defined is a platform thread called {@code thread 12}. */
  public Definition.TracedThread threadOrNameless(int process, int thread) {
    Definition.TracedThread known = threads.get(key(process, thread));
    return known != null
        ? known
        : new Definition.TracedThread(
            thread, Definition.TracedThread.PLATFORM, 0, 0, "thread " + thread);
  }

  /** Takes threads that are defined. */
  @FunctionalInterface
  public interface ThreadSink {
    void thread(int process, Definition.TracedThread thread);
  }

  /** Hands out all defined threads, in no particular order. */
  public void forEachThread(ThreadSink sink) {
    threads.forEach((key, thread) -> sink.thread((int) (key >>> 32), thread));
  }

  /** The recording as a whole, if it is defined. */
  public Optional<Definition.Recording> recording() {
    return Optional.ofNullable(recording);
  }

  private void take(Definition.Notice notice) {
    notices.add(notice);
    if (NoticeCode.CLOCK_ERROR.is(notice)) {
      // One for each time that the recording was merged with others.
      clockErrors.merge(notice.process(), nanos(notice), Long::sum);
    }
  }

  /** What a notice says after its code; 0 if it was not written by us. */
  private static long nanos(Definition.Notice notice) {
    String rest = notice.text().substring(NoticeCode.CLOCK_ERROR.text().length());
    try {
      return Math.max(0, Long.parseLong(rest.replaceFirst(" ns$", "")));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Notices in the order in which they were written. */
  public List<Definition.Notice> notices() {
    return notices;
  }

  /** The streams that the recording had when it was complete; none of older versions. */
  public List<Definition.Stream> streams() {
    return streams;
  }

  /** What the probes of a process cost, if it said so. */
  public Optional<Definition.ProbeCost> probeCost(int process) {
    return Optional.ofNullable(probeCosts.get(process));
  }

  /** Processor time that recording took beside its probes, by process. */
  public List<Definition.OwnCost> ownCosts() {
    return List.copyOf(ownCosts.values());
  }

  /** Processor time that a process took in all, if it said so. */
  public Optional<Definition.ProcessorTime> processorTime(int process) {
    return Optional.ofNullable(processorTimes.get(process));
  }

  /** Changes in how methods are recorded, in the order of time; the times are clock ticks. */
  public List<ModeStep> steps() {
    return steps.stream().sorted(Comparator.comparingLong(ModeStep::time)).toList();
  }

  public int countOfSteps() {
    return steps.size();
  }

  /** The steps that were read after the first ones, in the order of reading. */
  public List<ModeStep> stepsAfter(int count) {
    return List.copyOf(steps.subList(count, steps.size()));
  }

  /** The kinds of kernel events, by their number in the recording. */
  public Map<Integer, Definition.KernelEvent> kernelEvents() {
    return kernelEvents;
  }

  /** The kinds of user events, by their number in the recording. */
  public Collection<TracedEvent> events() {
    return events.values();
  }

  /** Whether a number in the recording is that of a defined user event. */
  public boolean isEvent(int number) {
    return events.containsKey(number);
  }

  /**
   * A kind of user event, by its number in the recording. A kind that is not defined is called
   * {@code event 12}.
   */
  public TracedEvent event(int number) {
    TracedEvent known = events.get(number);
    return known != null ? known : nameless(number);
  }

  private TracedEvent nameless(int number) {
    int payload = methods.payload(number);
    Definition.Event event = new Definition.Event(payload, 0, 0, 0, "event " + payload, "", "");
    return TracedEvent.of(
        methods.get(number).process(), number, event, NO_SUBSYSTEM, places, stacks);
  }

  public long count() {
    return count;
  }

  public int threads() {
    return threads.size();
  }

  /** Clock of the first definition; the largest number if there is none. */
  public long firstClock() {
    return firstClock;
  }

  /** Clock of the last definition. */
  public long lastClock() {
    return lastClock;
  }

  /** The defined processes, by number. */
  public List<TracedProcess> processes() {
    return processes.values().stream().map(this::process).toList();
  }

  public Optional<TracedProcess> process(int number) {
    return Optional.ofNullable(processes.get(number)).map(this::process);
  }

  private TracedProcess process(Definition.TracedProcess p) {
    Definition.ProcessEnd end = ends.get(p.process());
    boolean known = end != null && end.how() >= 0 && end.how() < ENDS.length;
    String how = end != null && known ? ENDS[end.how()] : "unknown";
    long lost = end == null ? 0 : Math.max(0, end.lost());
    return new TracedProcess(
        p.process(),
        p.pid(),
        p.parentPid(),
        p.command(),
        p.jvm(),
        how,
        lost,
        clockErrors.getOrDefault(p.process(), 0L));
  }
}
