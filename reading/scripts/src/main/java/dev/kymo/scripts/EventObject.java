package dev.kymo.scripts;

import dev.kymo.analysis.filter.EventFacts;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Undefined;

/**
 * The {@code event} that a script gets: the same object for all events, whose properties are looked
 * up when they are asked for.
 */
final class EventObject extends HostObject {
  private static final Object[] PROPERTIES = {
    "kind",
    "name",
    "subsystem",
    "time",
    "begin",
    "duration",
    "process",
    "pid",
    "command",
    "thread",
    "threadName",
    "track",
    "core",
    "depth",
    "place",
    "text",
    "fields"
  };

  /** Whole numbers up to here are numbers of JavaScript, larger ones its big integers. */
  private static final long MAX_EXACT = 1L << 53;

  private final Fields fields = new Fields();
  private @Nullable EventFacts facts;

  /** The values of the event's fields, by their names. */
  private final class Fields extends HostObject {
    @Override
    public String getClassName() {
      return "Fields";
    }

    @Override
    Object get(String name) {
      Object value = facts().field(name);
      if (value instanceof Long number) {
        return Math.abs(number) <= MAX_EXACT
            ? (Object) (double) number
            : BigInteger.valueOf(number);
      }
      return value == null ? NOT_FOUND : value;
    }

    @Override
    public Object[] getIds() {
      return facts().fields().toArray();
    }

    @Override
    public Object getDefaultValue(@Nullable Class<?> hint) {
      return facts().text();
    }
  }

  void set(EventFacts event) {
    facts = event;
  }

  private EventFacts facts() {
    if (facts == null) {
      throw new IllegalStateException("no event yet");
    }
    return facts;
  }

  /** The event in words, for messages; empty = there is none. */
  String words() {
    return facts == null ? "" : facts.kind() + ' ' + facts.name();
  }

  /** When it happened; 0 if there is none. */
  long time() {
    return facts == null ? 0 : facts.time();
  }

  @Override
  public String getClassName() {
    return "Event";
  }

  @Override
  Object get(String name) {
    EventFacts event = facts();
    return switch (name) {
      case "kind" -> event.kind();
      case "name" -> event.name();
      case "subsystem" -> event.subsystem();
      case "time" -> (double) event.time();
      case "begin" -> known(event.begin());
      case "duration" -> known(event.duration());
      case "process" -> event.process();
      case "pid" -> known(event.pid());
      case "command" -> event.command();
      case "thread" -> event.thread();
      case "threadName" -> event.threadName();
      case "track" -> event.track();
      case "core" -> known(event.core());
      case "depth" -> known(event.depth());
      case "place" -> event.place();
      case "text" -> event.text();
      case "fields" -> fields;
      default -> NOT_FOUND;
    };
  }

  private static Object known(long value) {
    return value == EventFacts.UNKNOWN ? Undefined.instance : (Object) (double) value;
  }

  private static Object known(int value) {
    return value < 0 ? Undefined.instance : (Object) value;
  }

  @Override
  public Object[] getIds() {
    return PROPERTIES.clone();
  }

  @Override
  public Object getDefaultValue(@Nullable Class<?> hint) {
    return words();
  }
}
