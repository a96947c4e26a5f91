package dev.kymo.exporters.source;

import dev.kymo.format.EventFields;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;
import java.util.List;

/**
 * A user event.
 *
 * @param event its kind
 * @param argument of an event without fields; 0 = none
 * @param values of its fields, see {@link EventFields#values}; addresses of code may be places
 */
public record EventData(TracedEvent event, long argument, List<Object> values) {
  public static EventData of(TracedEvent event, EventBatch batch, int word) {
    boolean plain = event.fields().list().isEmpty() && EventBatch.id(word) == ThreadRecord.EVENT;
    return new EventData(
        event,
        plain ? batch.argument(word) : 0,
        plain ? List.of() : event.namedValues(batch, word));
  }

  public String field(int index) {
    return event.fields().list().get(index).name();
  }

  public String text(int index) {
    return EventFields.text(event.fields().list().get(index).type(), values.get(index));
  }

  /** All values as text: {@code size=4 owner=x}. */
  public String text() {
    if (values.isEmpty()) {
      return argument == 0 ? "" : "0x" + Long.toHexString(argument);
    }
    return event.fields().text(values);
  }

  /** A counter's value; unsigned ones above the largest long become doubles. */
  public Number number() {
    Object value = values.isEmpty() ? (Object) argument : values.get(0);
    return switch (value) {
      case Long big when big < 0 && isUnsigned() -> big + 0x1p64;
      case Number number -> number;
      case Boolean yes -> yes ? 1L : 0L;
      default -> Double.NaN;
    };
  }

  private boolean isUnsigned() {
    return !values.isEmpty()
        && event.fields().list().get(0).type() == dev.kymo.format.FieldType.U64;
  }
}
