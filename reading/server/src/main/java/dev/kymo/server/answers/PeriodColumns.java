package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.counts.Counts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How many calls of a track were counted when, a column for each fact. Readings too close to
 * distinguish become one, and there are never many more of them than pixels.
 */
final class PeriodColumns {
  private static final int MOST = 2000;

  private final long from;
  private final long shortest;
  private final List<Counts.Period> periods = new ArrayList<>();

  PeriodColumns(long from, long to, long resolution) {
    this.from = from;
    this.shortest = Math.max(resolution, (to - from) / MOST);
  }

  PeriodColumns addAll(List<Counts.Period> more) {
    more.forEach(this::add);
    return this;
  }

  private void add(Counts.Period period) {
    Counts.Period last = periods.isEmpty() ? null : periods.getLast();
    if (last != null && period.to() - last.from() < shortest) {
      long calls = last.calls() + period.calls();
      periods.set(periods.size() - 1, new Counts.Period(last.from(), period.to(), calls));
    } else {
      periods.add(period);
    }
  }

  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("counts");
    new Columns<>(json, periods)
        .numbers("from", period -> SliceColumns.offset(period.from(), from))
        .numbers("to", period -> SliceColumns.offset(period.to(), from))
        .numbers("calls", Counts.Period::calls);
    json.writeEndObject();
  }
}
