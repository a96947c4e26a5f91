package dev.kymo.recorder.userevents;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.platform.Messages;
import dev.kymo.recorder.ring.EventProbe;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.ring.RingRecord;
import dev.kymo.recorder.ring.SlowPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The program's own events: what it has defined, and which of them are recorded. The API, which is
 * a class of the program's, calls this through method handles and shares no class but the JDK's
 * with it.
 *
 * <p>Events and methods share their numbers in a recording. Methods count from 1, events count down
 * from the largest number. Numbers are given once in the life of a process.
 */
public final class UserEvents {
  private static final Map<List<Object>, Definition.Subsystem> SUBSYSTEMS = new HashMap<>();

  /** In the order of their numbers; only grows. Written under this class's lock. */
  private static volatile UserEvent[] events = {};

  /** What the API's own switch is: on while anything is recorded. */
  private static final List<int[]> RECORDING = new ArrayList<>();

  /** The recorder's own counter, defined when it is first needed. */
  private static final int[] LOAD = new int[1];

  private static boolean loadDefined;

  private static final AtomicBoolean REFUSED = new AtomicBoolean();

  private static volatile @Nullable EventRecording recording;
  private static EventRules rules = new EventRules(EventOptions.ALL);

  private UserEvents() {}

  /**
   * Defines a subsystem; called by the API.
   *
   * @param subsystem name, id, category, color, events (each id, name, kind, event it ends,
   *     description, fields), and the array for their numbers
   */
  public static synchronized void define(Object[] subsystem) {
    int[] numbers = (int[]) subsystem[5];
    if (((String) subsystem[0]).isEmpty()) {
      RECORDING.add(numbers);
    } else {
      define(subsystem, numbers);
    }
    show();
  }

  private static void define(Object[] subsystem, int[] numbers) {
    List<Object> key = List.of(subsystem[0], subsystem[1], subsystem[2], subsystem[3]);
    Definition.Subsystem group = SUBSYSTEMS.get(key);
    if (group == null) {
      group =
          new Definition.Subsystem(
              SUBSYSTEMS.size() + 1,
              (int) subsystem[1],
              (String) subsystem[0],
              (String) subsystem[2],
              (String) subsystem[3]);
      SUBSYSTEMS.put(key, group);
      define(group);
    }
    Object[][] all = (Object[][]) subsystem[4];
    Map<String, Integer> begins = new HashMap<>();
    UserEvent[] more = Arrays.copyOf(events, events.length + all.length);
    for (int i = 0; i < all.length; i++) {
      int place = events.length + i;
      more[place] = event(group, all[i], begins, place, numbers, i);
      begins.put(more[place].definition.name(), more[place].definition.event());
      rules.apply(more[place]);
      define(more[place].definition);
    }
    events = more;
  }

  private static UserEvent event(
      Definition.Subsystem group,
      Object[] facts,
      Map<String, Integer> begins,
      int place,
      int[] numbers,
      int index) {
    int number = ThreadRecord.MAX_PAYLOAD - place;
    Definition.Event definition =
        new Definition.Event(
            number,
            group.subsystem(),
            (int) facts[0],
            (int) facts[2],
            (String) facts[1],
            (String) facts[4],
            (String) facts[5]);
    int begin = begins.getOrDefault((String) facts[3], number);
    return new UserEvent(group, definition, begin, numbers, index);
  }

  private static void define(Definition definition) {
    EventRecording current = recording;
    if (current != null) {
      current.define(definition);
    }
  }

  private static UserEvent of(int number) {
    return events[ThreadRecord.MAX_PAYLOAD - number];
  }

  /** Number of the counter of threads' loads; 0 if it is not to be recorded. */
  public static int load(long argument) {
    defineLoad();
    int event = LOAD[0];
    return event < 0 ? triggered(-event, argument) : event;
  }

  private static synchronized void defineLoad() {
    if (!loadDefined) {
      loadDefined = true;
      String description = "processor time of a thread, percent of one processor";
      Object[] load = {0, "load", EventKind.COUNTER.number(), "", description, "f64 percent;"};
      define(new Object[] {"jvm", 0, "Java virtual machine", "", new Object[][] {load}, LOAD});
    }
  }

  /** Records an event with its argument; called by the API, as all below. */
  public static void record(int event, long argument) {
    int number = event < 0 ? triggered(-event, argument) : event;
    if (number != 0) {
      EventProbe.record(number, argument);
    }
  }

  /** Records an event with its data. */
  public static void data(int event, byte[] data, int length) {
    int number = event < 0 ? triggered(-event, first(data, length)) : event;
    if (number == 0) {
      return;
    }
    if (length > ThreadRecord.MAX_DATA) {
      refuse(number, length);
      return;
    }
    EventProbe.data(number, data, length);
  }

  /**
   * The same, with the time of the last {@link EventProbe#mark} if nothing else was recorded since.
   */
  public static void dataSinceMark(int event, byte[] data, int length) {
    if (event > 0) {
      EventProbe.dataSinceMark(event, data, length);
    } else {
      data(event, data, length);
    }
  }

  /** What a trigger compares: the first eight bytes. */
  private static long first(byte[] data, int length) {
    long first = 0;
    for (int i = Math.min(length, Long.BYTES) - 1; i >= 0; i--) {
      first = first << 8 | (data[i] & 0xFF);
    }
    return first;
  }

  public static void enter(int event) {
    int number = event < 0 ? triggered(-event, 0) : event;
    if (number != 0) {
      EventProbe.call(ThreadRecord.ENTER, number);
    }
  }

  /** What an event began ends, by the same or the one that was made for that. */
  public static void leave(int event) {
    int number = event < 0 ? triggered(-event, 0) : event;
    if (number != 0) {
      EventProbe.call(ThreadRecord.LEAVE, of(number).begin);
    }
  }

  /** Executes a command; see {@code RecorderCommands}. */
  public static String control(String command) {
    EventRecording current = recording;
    return current == null || current.isStopped()
        ? "not recorded"
        : current.execute(command, "the program");
  }

  public static synchronized void begin(EventRecording next, EventOptions options) {
    recording = next;
    rules = new EventRules(options);
    SUBSYSTEMS.values().forEach(next::define);
    for (UserEvent event : events) {
      next.define(event.definition);
      event.triggers.clear();
      rules.apply(event);
    }
    show();
  }

  /** Leaves notices about triggers that have matched no event. */
  public static void tellUnused(EventRecording in) {
    List<String> unused;
    synchronized (UserEvents.class) {
      unused = rules.unused();
    }
    unused.forEach(in::notice);
  }

  public static synchronized void end() {
    recording = null;
    show();
  }

  /**
   * Switches events on or off; returns the number of events affected.
   *
   * @throws IllegalArgumentException if the text is not a pattern; the message says why
   */
  public static synchronized int enable(String text, boolean on) {
    EventPattern pattern = EventPattern.of(text);
    rules.add(pattern, on);
    int count = 0;
    for (UserEvent event : events) {
      if (pattern.matches(event.subsystem, event.definition)) {
        event.enabled = on;
        count++;
      }
    }
    show();
    return count;
  }

  /** Shows the program which events are recorded now. */
  public static synchronized void show() {
    EventRecording current = recording;
    boolean open = current != null && !current.isStopped();
    boolean recorded = current != null && open && current.recordsEvents();
    for (UserEvent event : events) {
      boolean on = recorded && event.enabled;
      int number = event.definition.event();
      event.show(open && !event.triggers.isEmpty() ? -number : on ? number : 0);
    }
    for (int[] numbers : RECORDING) {
      numbers[0] = open && (recorded || rules.hasTriggers()) ? 1 : 0;
    }
  }

  /** An event that triggers something has happened; returns its number if it is recorded. */
  static int triggered(int number, long argument) {
    try {
      return trigger(number, argument);
    } catch (Throwable e) {
      Probe.fail(e);
      return 0;
    }
  }

  private static int trigger(int number, long argument) {
    UserEvent event = of(number);
    EventRecording current = recording;
    if (current == null || current.isStopped()) {
      return 0;
    }
    boolean stop = false;
    for (Trigger trigger : event.triggers) {
      boolean counts = trigger.action() == Trigger.Action.START || !current.isPaused();
      if (counts && trigger.fires(argument)) {
        switch (trigger.action()) {
          case START -> current.resume();
          case STOP -> stop = true;
          case SNAPSHOT -> current.snapshot();
        }
      }
    }
    boolean wanted = current.recordsEvents() && event.enabled;
    if (stop) {
      SlowPath path = SlowPath.current();
      if (wanted && path != null) {
        path.record(RingRecord.event(number, argument), Probe.now());
      }
      current.pause("the program");
      return 0;
    }
    return wanted ? number : 0;
  }

  /** An event is too large: counted as lost, and said once. */
  static void refuse(int number, int length) {
    EventRecording current = recording;
    if (current != null) {
      current.lose();
    }
    if (REFUSED.compareAndSet(false, true)) {
      Messages.print(
          "an event is too large and is lost: event="
              + of(number).name()
              + " bytes="
              + length
              + " most="
              + ThreadRecord.MAX_DATA
              + "; record less of it");
    }
  }

  /** Lines {@code on disk.ALLOC}, in the order of definition. */
  public static synchronized String list() {
    StringBuilder text = new StringBuilder();
    for (UserEvent event : events) {
      text.append(event.enabled ? "on " : "off ").append(event.name()).append('\n');
    }
    return text.toString();
  }
}
