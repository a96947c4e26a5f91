package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.EnumerationLabels;
import org.jspecify.annotations.Nullable;

/**
 * A value of an event: a field, or several that are written as one text.
 *
 * @param name with those of the structures around: {@code a.b}
 * @param slot where readers find it
 * @param bits of a number; more than 64 are written as text
 * @param labels of an enumeration
 */
public record Leaf(
    String name,
    Kind kind,
    int slot,
    int bits,
    boolean signed,
    @Nullable EnumerationLabels labels) {
  /** What is in the slot. */
  public enum Kind {
    /** A number of at most 64 bits. */
    INTEGER,
    /** The bits of a double. */
    FLOAT,
    /** Bytes that are UTF-8. */
    TEXT,
    BYTES,
    /** A text that stands for something larger. */
    WRITTEN
  }
}
