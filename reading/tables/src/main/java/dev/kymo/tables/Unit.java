package dev.kymo.tables;

import dev.kymo.analysis.names.Quantity;
import dev.kymo.analysis.names.TimeText;
import java.util.Locale;

/** What the values of a column are, which says how each face writes them. */
public enum Unit {
  /** How many; a {@link Long}. */
  COUNT(""),
  /** How many bytes; a {@link Long}. */
  BYTES("_bytes"),
  /** A duration in nanoseconds; a {@link Long}. */
  NANOS("_ns"),
  /** A point in time, nanoseconds since the recording's begin; a {@link Long}. */
  MOMENT("_ns"),
  /** A number by which something is known, such as a thread's; a {@link Long}. */
  NUMBER(""),
  /** An unsigned {@link Long}. */
  ADDRESS(""),
  /** A part of a whole, from 0 to 1; a {@link Double}. */
  SHARE(""),
  /** Any number; a {@link Double}. */
  VALUE(""),
  /**
   * How many in each of equal spans of time; longs. Tables of single values have no such column.
   */
  SERIES(""),
  /** A {@link Boolean}. */
  FLAG(""),
  /** A {@link String}. */
  TEXT("");

  private final String suffix;

  Unit(String suffix) {
    this.suffix = suffix;
  }

  /** What the name of a column ends with where nothing else says the unit, as in CSV. */
  public String suffix() {
    return suffix;
  }

  /** A value for people. */
  public String text(Object value) {
    return switch (this) {
      case BYTES -> Quantity.text((Long) value, "B");
      case NANOS -> duration((Long) value);
      case MOMENT -> TimeText.seconds((Long) value);
      case SHARE -> share((Double) value);
      case VALUE -> number((Double) value);
      case SERIES -> Sparklines.bars((long[]) value);
      case FLAG -> (Boolean) value ? "yes" : "";
      default -> plain(value);
    };
  }

  /** A value for programs, as text. */
  public String plain(Object value) {
    return switch (this) {
      case ADDRESS -> "0x" + Long.toHexString((Long) value);
      case VALUE -> number((Double) value);
      default -> value.toString();
    };
  }

  /** Only all is 100 %, and only nothing is 0 %. */
  private static String share(double part) {
    if (part > 0 && part < 0.0005) {
      return "< 0.1 %";
    }
    return part < 1 && part >= 0.9995
        ? "> 99.9 %"
        : String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private static String duration(long nanos) {
    return nanos < 0 ? "-" + TimeText.text(-nanos) : TimeText.text(nanos);
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.6g", value);
  }
}
