package dev.kymo.exporters.stacks;

import dev.kymo.analysis.samples.SampleWeight;
import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.bytes.Json;
import dev.kymo.exporters.source.ExportTrack;
import java.util.List;

/**
 * Writes the samples of a track as a sampled profile of speedscope. The weights follow the stacks,
 * so the samples are read twice.
 */
final class SampledProfile {
  private final BytesOut out;
  private final Frames<SpeedscopeExport.Frame> frames;
  private long weights;
  private boolean any;

  SampledProfile(BytesOut out, Frames<SpeedscopeExport.Frame> frames) {
    this.out = out;
    this.frames = frames;
  }

  /** Whether the track has samples; otherwise nothing is written. */
  boolean write(ExportTrack track, Samples samples, String separator) {
    samples.read(track, (stack, weight) -> stack(track, samples.unit(), separator, stack));
    if (!any) {
      return false;
    }
    out.put("\n],\"weights\":[");
    any = false;
    samples.readAgain(
        track,
        (stack, weight) -> {
          out.put(any ? "," : "").number(samples.unit().isEmpty() ? 1 : weight);
          any = true;
          weights += samples.unit().isEmpty() ? 1 : weight;
        });
    out.put("],\"startValue\":0,\"endValue\":").number(weights).put('}');
    return true;
  }

  private void stack(ExportTrack track, String unit, String separator, List<Integer> stack) {
    if (any) {
      out.put(",\n");
    } else {
      out.put(separator).put("{\"type\":\"sampled\",\"name\":");
      out.put(Json.bytes(track.title())).put(",\"unit\":").put(Json.quoted(unit(unit)));
      out.put(",\"samples\":[\n");
      any = true;
    }
    for (int i = stack.size() - 1; i >= 0; i--) {
      out.put(i == stack.size() - 1 ? '[' : ',').number(frames.of(2 * stack.get(i)));
    }
    out.put(']');
  }

  private static String unit(String unit) {
    return switch (unit) {
      case SampleWeight.BYTES -> unit;
      case SampleWeight.NANOSECONDS -> "nanoseconds";
      default -> "none";
    };
  }
}
