package dev.kymo.analysis.samples;

import dev.kymo.format.EventFields;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.EventBatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What samples of a kind are weighed by, beside their number.
 *
 * @param field its place among the fields of the event; -1 = there is none
 * @param unit {@code bytes}, {@code ns}, {@code samples} that one event stands for, or the name of
 *     what the processor counted, such as {@code cycles}; empty if there is none
 */
public record SampleWeight(int field, String unit) {
  private static final SampleWeight NONE = new SampleWeight(-1, "");
  private static final String PERIOD = "period";
  public static final String NANOSECONDS = "ns";
  public static final String BYTES = "bytes";

  /** Fields that other tracers have, the one to be preferred first, with their units. */
  private static final Map<String, String> FIELDS = fields();

  private static Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("weight", BYTES); // jdk.ObjectAllocationSample
    fields.put("tlabSize", BYTES); // jdk.ObjectAllocationInNewTLAB: all that fills the buffer
    fields.put("allocationSize", BYTES); // jdk.ObjectAllocationOutsideTLAB, profiler.LiveObject
    fields.put("size", BYTES); // profiler.Malloc
    fields.put("samplingPeriod", NANOSECONDS); // jdk.CPUTimeSample
    fields.put("samples", "samples"); // profiler.WallClockSample
    fields.put(PERIOD, ""); // perf
    return fields;
  }

  /** What samples of a kind are weighed by. */
  public static SampleWeight of(TracedEvent event) {
    List<EventFields.Field> fields = event.fields().list();
    for (Map.Entry<String, String> each : FIELDS.entrySet()) {
      for (int i = 0; i < fields.size(); i++) {
        if (fields.get(i).name().equals(each.getKey()) && fields.get(i).type().isInteger()) {
          boolean period = each.getKey().equals(PERIOD);
          return new SampleWeight(i, period ? periodUnit(event) : each.getValue());
        }
      }
    }
    return NONE;
  }

  /** Of clocks a period is time; otherwise it is events of the kind that was sampled. */
  private static String periodUnit(TracedEvent event) {
    String name = event.definition().name();
    String counted = name.contains(":") ? name.substring(0, name.indexOf(':')) : name;
    return counted.endsWith("-clock") ? NANOSECONDS : counted;
  }

  /** The weight of one sample, not negative; 0 if it has none. */
  public long of(TracedEvent event, EventBatch batch, int word) {
    return field < 0 ? 0 : Math.max(0, event.number(batch, word, field));
  }
}
