package dev.kymo.server.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.counts.Counts;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.answers.Columns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What was counted on a recording's tracks, in few bytes: for each time between two readings what
 * was counted in it.
 *
 * <pre>
 *   numbers, track by track, span by span of those between the begins and ends of its periods:
 *     n · n * { method · mode · calls · timed · total · durations · max · b · b * { bucket · calls }
 *               told · and if that is 1: total · self · root of squares · interval · unplaced }
 * </pre>
 */
final class PackedCounts {
  private final Counts counts;
  private final List<List<Counts.Period>> periods = new ArrayList<>();
  private final NumberColumn numbers = new NumberColumn();

  PackedCounts(Timeline timeline) {
    counts = timeline.counts();
    for (int track = 0; track < timeline.tracks().size(); track++) {
      pack(track);
    }
  }

  private void pack(int track) {
    List<Counts.Period> all = counts.periods(track, 0, Long.MAX_VALUE / 2);
    periods.add(all);
    long[] edges =
        all.stream()
            .flatMapToLong(period -> LongStream.of(period.from(), period.to()))
            .sorted()
            .distinct()
            .toArray();
    for (int i = 1; i < edges.length; i++) {
      List<CountedCalls> inside = new ArrayList<>();
      counts.between(track, edges[i - 1], edges[i], inside::add);
      numbers.add(inside.size());
      inside.forEach(this::pack);
    }
  }

  private void pack(CountedCalls counted) {
    numbers.add(counted.method());
    numbers.add(counted.mode());
    numbers.add(counted.calls());
    numbers.add(counted.timed());
    numbers.add(counted.total());
    numbers.add(counted.durations());
    numbers.add(counted.max());
    long[] histogram = counted.histogram();
    numbers.add(LongStream.of(histogram).filter(calls -> calls > 0).count());
    for (int bucket = 0; bucket < histogram.length; bucket++) {
      if (histogram[bucket] > 0) {
        numbers.add(bucket);
        numbers.add(histogram[bucket]);
      }
    }
    CountedCalls.Spent spent = counted.spent();
    numbers.add(spent == null ? 0 : 1);
    if (spent != null) {
      numbers.add(spent.total());
      numbers.add(spent.self());
      numbers.add(Math.round(Math.sqrt(spent.squares())));
      numbers.add(spent.interval());
      numbers.add(spent.unplaced());
    }
  }

  NumberColumn numbers() {
    return numbers;
  }

  /** When the counters of a track were read, and how many calls came in between. */
  void writePeriods(JsonGenerator json, int track) throws IOException {
    json.writeObjectFieldStart("counts");
    new Columns<>(json, periods.get(track))
        .numbers("from", Counts.Period::from)
        .numbers("to", Counts.Period::to)
        .numbers("calls", Counts.Period::calls);
    json.writeEndObject();
  }

  /** The shortest duration in each bucket of a histogram. */
  void writeBuckets(JsonGenerator json) throws IOException {
    long[] begins = new long[Counts.BUCKETS];
    for (int bucket = 0; bucket < begins.length; bucket++) {
      begins[bucket] = counts.bucketBegin(bucket);
    }
    Columns.column(json, "buckets", begins);
  }
}
