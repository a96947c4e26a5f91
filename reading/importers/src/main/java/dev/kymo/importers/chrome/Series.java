package dev.kymo.importers.chrome;

import dev.kymo.importers.chrome.json.TraceEvent;
import java.util.LinkedHashMap;
import java.util.Map;

/** The values of a counter's event, each with the name of its series. */
final class Series {
  private Series() {}

  /** Name of the counter to its value, {@link Long} or {@link Double}. */
  static Map<String, Object> of(TraceEvent event) {
    Map<String, Object> series = new LinkedHashMap<>();
    String id = event.id().isEmpty() ? "" : "[" + event.id() + "]";
    String name = (event.name().isEmpty() ? "unnamed" : event.name()) + id;
    boolean single = event.arguments().size() == 1;
    event
        .arguments()
        .forEach((field, value) -> {
          Object number = number(value);
          if (number != null) {
            series.put(single && field.equals("value") ? name : name + "." + field, number);
          }
        });
    return series;
  }

  private static @org.jspecify.annotations.Nullable Object number(Object value) {
    if (value instanceof Number) {
      return value;
    }
    if (value instanceof Boolean truth) {
      return truth ? 1L : 0L;
    }
    try {
      return Double.valueOf(String.valueOf(value));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
