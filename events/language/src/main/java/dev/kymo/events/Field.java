package dev.kymo.events;

import dev.kymo.format.FieldType;

/** One value that an event carries. */
public record Field(FieldType type, String name, Place place) {
  /** As the language writes it. */
  @Override
  public String toString() {
    return type.word() + " " + name + ";";
  }
}
