package dev.kymo.events;

import dev.kymo.format.EventKind;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An event of a subsystem.
 *
 * @param id 0 to 65535, unique in the subsystem
 * @param begin name of the event that it ends; empty unless {@link EventKind#END}
 * @param description never empty: the name if the file has none
 * @param untyped no payload was given: the event carries one untyped argument, as Barrelfish's
 *     events do
 * @param fields its data; the fields that its kind needs if the file gives none
 */
public record Event(
    String name,
    int id,
    EventKind kind,
    String begin,
    String description,
    boolean untyped,
    List<Field> fields,
    Place place) {
  /** The fields as the language writes them, separated by spaces; empty if there are none. */
  public String fieldsText() {
    return fields.stream().map(Field::toString).collect(Collectors.joining(" "));
  }

  /** Whether what it carries fits into one argument of 64 bits. */
  public boolean fitsArgument() {
    return fields.isEmpty() || (fields.size() == 1 && fields.get(0).type().isFixed());
  }
}
