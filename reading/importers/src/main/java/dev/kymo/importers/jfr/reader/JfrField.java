package dev.kymo.importers.jfr.reader;

/**
 * A field of a type.
 *
 * @param constant whether its value is the key of a constant of the type
 * @param array whether it has a number of values
 * @param unsigned whether its numbers are not negative
 */
public record JfrField(
    String name, JfrType type, boolean constant, boolean array, boolean unsigned, Unit unit) {

  /** What a number means, where it is a time. */
  public enum Unit {
    NONE,
    SPAN_TICKS,
    SPAN_NANOSECONDS,
    SPAN_MICROSECONDS,
    SPAN_MILLISECONDS,
    SPAN_SECONDS,
    TIME_TICKS,
    TIME_MILLISECONDS;

    static Unit span(String unit) {
      return switch (unit) {
        case "TICKS" -> SPAN_TICKS;
        case "NANOSECONDS" -> SPAN_NANOSECONDS;
        case "MICROSECONDS" -> SPAN_MICROSECONDS;
        case "MILLISECONDS" -> SPAN_MILLISECONDS;
        case "SECONDS" -> SPAN_SECONDS;
        default -> NONE;
      };
    }

    static Unit time(String unit) {
      return switch (unit) {
        case "TICKS" -> TIME_TICKS;
        case "MILLISECONDS_SINCE_EPOCH" -> TIME_MILLISECONDS;
        default -> NONE;
      };
    }
  }

  /** A number of this field; a time in nanoseconds, of a moment since 1970. */
  public long value(long number, JfrChunk chunk) {
    if (number == Long.MIN_VALUE || number == Long.MAX_VALUE) { // not known, or for ever
      return number;
    }
    return switch (unit) {
      case NONE, SPAN_NANOSECONDS -> number;
      case SPAN_TICKS -> chunk.span(number);
      case SPAN_MICROSECONDS -> number * 1_000;
      case SPAN_MILLISECONDS, TIME_MILLISECONDS -> number * 1_000_000;
      case SPAN_SECONDS -> number * 1_000_000_000;
      case TIME_TICKS -> chunk.nanos(number);
    };
  }
}
