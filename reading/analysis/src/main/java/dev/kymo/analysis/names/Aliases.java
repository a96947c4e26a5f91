package dev.kymo.analysis.names;

import dev.kymo.format.Definition;
import dev.kymo.format.EventFields;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names that users give to objects, values and threads: in a file, see {@link AliasFile}, and by
 * events {@code kymo.alias} of the program, which count from their time on. A file's names take
 * precedence over the program's.
 */
public final class Aliases {
  private static final String SUBSYSTEM = "kymo";
  private static final String EVENT = "alias";

  private final Map<Long, String> objects = new HashMap<>();
  private final Map<String, String> threads = new HashMap<>();
  private final Map<Value, String> values = new HashMap<>();
  private final Map<Told, String> told = new HashMap<>();

  /** A value that a user event carries. */
  private record Value(String event, long value) {}

  /** An object that a program has named itself. */
  private record Told(int process, long object) {}

  /** No names; a program's are learned. */
  public Aliases() {}

  void object(long object, String name) {
    objects.put(object, name);
  }

  void thread(String thread, String name) {
    threads.put(thread, name);
  }

  void value(String event, long value, String name) {
    values.put(new Value(event, value), name);
  }

  /** A thread under the name that the user has given it. */
  public Definition.TracedThread of(Definition.TracedThread thread) {
    String name = threads.isEmpty() ? null : threads.get(thread.name());
    return name == null
        ? thread
        : new Definition.TracedThread(
            thread.thread(), thread.kind(), thread.javaId(), thread.tid(), name);
  }

  /** Name of an object of a process; null = it has none. */
  public @Nullable String object(int process, long object) {
    String name = objects.isEmpty() ? null : objects.get(object);
    return name != null || told.isEmpty() ? name : told.get(new Told(process, object));
  }

  /** Learns the name that an event gives to an object, if that is what it does. */
  public void learn(EventBatch batch, int word, TracedEvent event) {
    if (!event.definition().name().equals(EVENT)
        || !event.subsystem().name().equals(SUBSYSTEM)
        || EventBatch.id(word) != ThreadRecord.EVENT_DATA) {
      return;
    }
    List<Object> pair = event.values(batch, word);
    if (pair.size() == 2
        && pair.get(0) instanceof Long object
        && pair.get(1) instanceof String name) {
      told.put(new Told(batch.process(), object), name);
    }
  }

  /** An event's data as {@link TracedEvent#text} has them, with names for what is named. */
  public String text(EventBatch batch, int word, TracedEvent event) {
    if (objects.isEmpty() && values.isEmpty() && told.isEmpty()) {
      return event.text(batch, word);
    }
    EventFields fields = event.fields();
    if (fields.list().isEmpty() && EventBatch.id(word) == ThreadRecord.EVENT) {
      String name = name(batch.process(), event, batch.argument(word));
      return name == null ? event.text(batch, word) : name;
    }
    List<Object> values = event.values(batch, word);
    List<Object> named = new ArrayList<>(event.namedValues(batch, word));
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      String name = value instanceof Long number ? name(batch.process(), event, number) : null;
      if (name != null) {
        named.set(i, name);
      }
    }
    return fields.text(named);
  }

  private @Nullable String name(int process, TracedEvent event, long value) {
    String name = values.isEmpty() ? null : values.get(new Value(event.qualifiedName(), value));
    return name != null ? name : object(process, value);
  }
}
