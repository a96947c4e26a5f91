package dev.kymo.importers.otf2.archive;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Kinds of definitions that numbers in records refer to. Tables of locations have this order. */
public enum Reference {
  STRING,
  ATTRIBUTE,
  LOCATION,
  REGION,
  GROUP,
  METRIC,
  COMM,
  PARAMETER,
  RMA_WIN,
  SOURCE_CODE_LOCATION,
  CALLING_CONTEXT,
  INTERRUPT_GENERATOR,
  IO_FILE,
  IO_HANDLE,
  LOCATION_GROUP;

  private static final List<Reference> ALL = List.of(values());

  /** The type of values that are texts; those of the others follow. */
  private static final int FIRST_TYPE = 11;

  /** The one with a number in tables of locations; null if there is none. */
  static @Nullable Reference mapped(int number) {
    return number < ALL.size() ? ALL.get(number) : null;
  }

  /** What a value of a type refers to; null if to nothing. */
  public static @Nullable Reference ofType(int type) {
    return type >= FIRST_TYPE ? mapped(type - FIRST_TYPE) : null;
  }

  /** Whether its numbers have 64 bits. */
  boolean isLong() {
    return this == LOCATION;
  }
}
