package dev.kymo.model.definitions;

import dev.kymo.format.Definition;
import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.format.ThreadRecord;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A kind of user event.
 *
 * @param process that defined it
 * @param number in the recording, among those of methods
 * @param definition its kind, name and id
 * @param subsystem it belongs to
 * @param fields of its data
 * @param places what its addresses of code are
 * @param stacks what its stacks are
 */
public record TracedEvent(
    int process,
    int number,
    Definition.Event definition,
    Definition.Subsystem subsystem,
    EventFields fields,
    CodeLocations places,
    SampledStacks stacks) {
  private static final String THREAD_LIBRARY = "pthread";
  private static final List<EventFields.Field> PLACE =
      EventFields.parse(Definition.Event.PLACE).list();
  private static final Set<String> CODE = Set.of("caller", "start");

  /** A kind as it is recorded; fields that cannot be understood are left out. */
  static TracedEvent of(
      int process,
      int number,
      Definition.Event event,
      Definition.Subsystem subsystem,
      CodeLocations places,
      SampledStacks stacks) {
    EventFields fields;
    try {
      fields = EventFields.parse(event.fields());
    } catch (IllegalArgumentException e) {
      fields = EventFields.parse("");
    }
    return new TracedEvent(process, number, event, subsystem, fields, places, stacks);
  }

  /** Kind, as in {@link Definition.Event}. */
  public int kind() {
    return definition.kind();
  }

  /** Subsystem and name, as tables show it. */
  public String qualifiedName() {
    String group = subsystem.name();
    return group.isEmpty() ? definition.name() : group + '.' + definition.name();
  }

  public List<Object> values(EventBatch batch, int word) {
    return EventBatch.id(word) == ThreadRecord.EVENT
        ? fields.values(batch.argument(word))
        : fields.values(batch.data(word));
  }

  /**
   * The same, with places in words where addresses of code are known, and of a stack its innermost
   * method.
   */
  public List<Object> namedValues(EventBatch batch, int word) {
    List<Object> values = values(batch, word);
    boolean addresses = subsystem.name().equals(THREAD_LIBRARY);
    if (!addresses && stacks.isEmpty()) {
      return values;
    }
    List<Object> named = new ArrayList<>(values);
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) instanceof Long value) {
        EventFields.Field field = fields.list().get(i);
        if (addresses && CODE.contains(field.name())) {
          TracedMethod place = places.get(process, value);
          named.set(i, place == null ? value : place.placeText());
        } else if (isStack(field)) {
          named.set(i, stackText(value));
        }
      }
    }
    return named;
  }

  private static boolean isStack(EventFields.Field field) {
    return field.type() == FieldType.U32 && field.name().equals(Definition.Stack.FIELD);
  }

  private Object stackText(long stack) {
    Optional<TracedMethod> method = stacks.method(process, (int) stack);
    return method.isPresent() ? method.get().qualifiedName() : stack;
  }

  /** The place among its fields of the one that has a stack; -1 = none has. */
  public int stackField() {
    for (int i = 0; i < fields.list().size(); i++) {
      if (isStack(fields.list().get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Whether such an event says where its thread was seen. */
  public boolean isSample() {
    return EventKind.INSTANT.is(kind())
        && subsystem.name().equals(Definition.Stack.SAMPLES)
        && stackField() == 0;
  }

  /** Whether such an event leads to what another thread did at that moment. */
  public boolean isLink() {
    return EventKind.INSTANT.is(kind())
        && subsystem.name().equals(Definition.Event.ACTIVITIES)
        && fields.list().size() >= PLACE.size()
        && fields.list().subList(0, PLACE.size()).equals(PLACE);
  }

  /** The stack that one such event has; 0 = none, or not known. */
  public int stack(EventBatch batch, int word) {
    int field = stackField();
    return field < 0 ? 0 : (int) number(batch, word, field);
  }

  /**
   * The methods of the stack that one such event has, by their numbers in the recording, the
   * innermost first.
   *
   * @param max of them at most
   */
  public List<Integer> frames(EventBatch batch, int word, int max) {
    List<Integer> frames = new ArrayList<>();
    int stack = stack(batch, word);
    while (stack > 0 && frames.size() < max) {
      stacks.method(process, stack).ifPresent(method -> frames.add(method.id()));
      stack = stacks.caller(process, stack);
    }
    return frames;
  }

  /**
   * The value that one such event has in a field of a whole number; 0 if it has none.
   *
   * @param field its place among the fields
   */
  public long number(EventBatch batch, int word, int field) {
    if (EventBatch.id(word) == ThreadRecord.EVENT_DATA) {
      return fields.number(batch.data(word), field, 0);
    }
    List<Object> values = fields.values(batch.argument(word));
    return field < values.size() && values.get(field) instanceof Long number ? number : 0;
  }

  /**
   * One such event's data as text: its fields by name; an argument of which nothing is known in
   * hexadecimal, if it is not 0.
   */
  public String text(EventBatch batch, int word) {
    boolean argument = EventBatch.id(word) == ThreadRecord.EVENT;
    if (fields.list().isEmpty() && argument) {
      long value = batch.argument(word);
      return value == 0 ? "" : "0x" + Long.toHexString(value);
    }
    return fields.text(namedValues(batch, word));
  }

  /** Whether it has a counter's values, which are numbers. */
  public boolean isCounter() {
    return EventKind.COUNTER.is(kind()) && fields.isArgument();
  }

  /** The value that one such event of a counter has; not a number if it has none. */
  public double value(EventBatch batch, int word) {
    if (fields.list().isEmpty() && EventBatch.id(word) == ThreadRecord.EVENT) {
      return batch.argument(word);
    }
    List<Object> values = values(batch, word);
    Object value = values.isEmpty() ? Double.NaN : values.get(0);
    boolean unsigned = !values.isEmpty() && fields.list().get(0).type() == FieldType.U64;
    return switch (value) {
      case Long number when unsigned && number < 0 -> number + 0x1p64;
      case Number number -> number.doubleValue();
      case Boolean yes -> yes ? 1 : 0;
      default -> Double.NaN;
    };
  }

  /** The key that messages are paired by: the first number, or the text's hash. */
  public long key(EventBatch batch, int word) {
    if (EventBatch.id(word) == ThreadRecord.EVENT) {
      return batch.argument(word);
    }
    List<Object> values = values(batch, word);
    Object first = values.isEmpty() ? 0L : values.get(0);
    return first instanceof Long number ? number : first.hashCode();
  }
}
