package dev.kymo.exporters.barrelfish;

import dev.kymo.exporters.bytes.Json;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The numbers that a recording's threads and events have in a log. They are the same for all who
 * are sent the log, and may be asked for by several threads.
 *
 * <p>An event keeps the numbers of its definitions. If two subsystems or events have the same
 * number, the second gets the next free one; so does a subsystem with a number of messages.
 */
public final class LogNumbers {
  /** How many numbers there are for cores. */
  static final int CORES = 256;

  private static final String SYSTEM = "Barrelfish";
  private static final String MESSAGES = "ump";
  private static final String MARKERS = "marker";
  private static final String KERNEL = "kernel";
  private static final String SWITCH = "CSWITCH";

  /** Numbers of context switches: those of 2013, else those from before. */
  private static final int[][] SWITCHES = {{0, 0}, {0xffff, 0xcccc}};

  /** Neither Barrelfish's old nor its newer definitions have numbers from here. */
  private static final int FREE = 0x800;

  private static final int LARGEST = 0xffff;
  private static final int FIRST_MESSAGE = 0xea00;
  private static final int LAST_MESSAGE = 0xebff;
  private static final long KEY = (1L << 56) - 1;

  private final Map<String, Group> groups = new HashMap<>();
  private final TreeMap<Integer, Group> byId = new TreeMap<>();
  private final Map<Long, Long> words = new HashMap<>();
  private final Map<Long, Integer> threads = new HashMap<>();
  private Runnable onNew = () -> {};

  private static final class Group {
    private final int id;
    private final String name;
    private final Map<String, Integer> ids = new HashMap<>();
    private final TreeMap<Integer, Definition.Event> events = new TreeMap<>();

    Group(int id, String name) {
      this.id = id;
      this.name = name;
    }

    int number(Definition.Event event) {
      Integer known = ids.get(event.name());
      if (known != null) {
        return known;
      }
      int number = event.id() & LARGEST;
      if (events.containsKey(number)) {
        number = 0;
        while (events.containsKey(number)) {
          number++;
        }
      }
      ids.put(event.name(), number);
      events.put(number, event);
      return number;
    }

    String json() {
      String all =
          events.entrySet().stream()
              .map(event -> line(event.getKey(), event.getValue()))
              .collect(Collectors.joining(",\n"));
      return "\"%d\" : {\n\t\"name\" : %s,\n\t\"events\" : {\n%s\n\t}\n}"
          .formatted(id, Json.quoted(name), all);
    }

    private static String line(int number, Definition.Event event) {
      String text = event.description().isEmpty() ? event.name() : event.description();
      return "\t\t\"%d\" : [%s, %s ]"
          .formatted(number, Json.quoted(event.name()), Json.quoted(text));
    }
  }

  /** Gives numbers to what is defined so far; events that are defined later get theirs later. */
  public LogNumbers(RecordedDefinitions definitions) {
    definitions.events().stream()
        .sorted(
            Comparator.comparingInt(TracedEvent::process)
                .thenComparingInt(event -> event.definition().event()))
        .forEach(event -> word(definitions, event));
    boolean own = definitions.processes().stream().noneMatch(LogNumbers::isBarrelfish);
    if (own) {
      defineSwitch();
    }
  }

  private void defineSwitch() {
    for (int[] numbers : SWITCHES) {
      Group known = groups.get(KERNEL);
      if (known == null && !byId.containsKey(numbers[0])) {
        known = add(numbers[0], KERNEL);
      }
      if (known != null) {
        known.number(
            new Definition.Event(
                0, 0, numbers[1], EventKind.INSTANT.number(), SWITCH, "Context Switch", ""));
        return;
      }
    }
    group(KERNEL, FREE).number(new Definition.Event(0, 0, 0, 0, SWITCH, "Context Switch", ""));
  }

  /** To be called whenever an event gets numbers from now on. */
  public synchronized void onNew(Runnable action) {
    onNew = action;
  }

  private static boolean isBarrelfish(TracedProcess process) {
    return process.command().equals(SYSTEM);
  }

  /** Whether a thread is a core of a Barrelfish log that was imported. */
  static boolean isCore(RecordedDefinitions definitions, int process, int thread) {
    return definitions.process(process).filter(LogNumbers::isBarrelfish).isPresent()
        && TrackKind.of(definitions.threadOrNameless(process, thread)) == TrackKind.CPU;
  }

  /** The core that stands for a thread. */
  synchronized int core(RecordedDefinitions definitions, int process, int thread) {
    return isCore(definitions, process, thread)
        ? definitions.threadOrNameless(process, thread).tid() & (CORES - 1)
        : number(process, thread) % CORES;
  }

  /** The number of a thread as an application, not 0. */
  synchronized int application(int process, int thread) {
    return number(process, thread) + 1;
  }

  private int number(int process, int thread) {
    return threads.computeIfAbsent(RecordedDefinitions.key(process, thread), _ -> threads.size());
  }

  synchronized long switchTo(int application) {
    Group kernel = groups.get(KERNEL);
    Integer id = kernel == null ? null : kernel.ids.get(SWITCH);
    long subsystem = kernel == null ? 0 : kernel.id;
    return (subsystem << 48) | ((id == null ? 0L : id.longValue()) << 32) | application;
  }

  static boolean isSwitch(TracedEvent event) {
    return event.subsystem().name().equals(KERNEL) && event.definition().name().equals(SWITCH);
  }

  /** The word of an event: 16 bits each for subsystem and event, 32 for the argument. */
  long word(RecordedDefinitions definitions, TracedEvent event, EventBatch batch, int word) {
    long argument = argument(event, batch, word);
    long upper = word(definitions, event);
    if (definitions.process(event.process()).filter(LogNumbers::isBarrelfish).isPresent()) {
      switch (event.subsystem().name()) {
        case MESSAGES -> {
          return ((long) event.definition().id() << 56) | (argument & KEY);
        }
        case MARKERS -> {
          return argument;
        }
        default -> {} // as all others
      }
    }
    return upper | (argument & 0xffffffffL);
  }

  /** The first whole number of an event's data; 0 if there is none. */
  private static long argument(TracedEvent event, EventBatch batch, int word) {
    if (event.fields().list().isEmpty()) {
      return EventBatch.id(word) == ThreadRecord.EVENT ? batch.argument(word) : 0;
    }
    for (Object value : event.values(batch, word)) {
      if (value instanceof Long number) {
        return number;
      }
    }
    return 0;
  }

  private synchronized long word(RecordedDefinitions definitions, TracedEvent event) {
    boolean barrelfish =
        definitions.process(event.process()).filter(LogNumbers::isBarrelfish).isPresent();
    String name = event.subsystem().name();
    if (barrelfish && (name.equals(MESSAGES) || name.equals(MARKERS))) {
      return 0;
    }
    long key = RecordedDefinitions.key(event.process(), event.definition().event());
    Long known = words.get(key);
    if (known != null) {
      return known;
    }
    Group group = group(name, event.subsystem().id() & LARGEST);
    long upper = ((long) group.id << 48) | ((long) group.number(event.definition()) << 32);
    words.put(key, upper);
    onNew.run();
    return upper;
  }

  private Group group(String name, int wanted) {
    Group known = groups.get(name);
    if (known != null) {
      return known;
    }
    int id = wanted;
    if (!isFree(id)) {
      id = FREE;
      while (!isFree(id)) {
        id++;
      }
    }
    return add(id, name);
  }

  private boolean isFree(int id) {
    return !byId.containsKey(id) && (id < FIRST_MESSAGE || id > LAST_MESSAGE);
  }

  private Group add(int id, String name) {
    Group group = new Group(id, name);
    groups.put(name, group);
    byId.put(id, group);
    return group;
  }

  /** The numbers' names, in the JSON that Barrelfish's compiler pleco writes. */
  public synchronized String json() {
    String all = byId.values().stream().map(Group::json).collect(Collectors.joining(",\n"));
    return "{\n"
        + all
        + (all.isEmpty() ? "" : ",\n")
        + "\"-5632\" : {\n\t\"name\" : \"ump send\"\n\t},\n"
        + "\"-5376\" : {\n\t\"name\" : \"ump receive\"\n\t}\n}";
  }
}
