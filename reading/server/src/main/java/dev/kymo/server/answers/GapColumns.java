package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.timeline.Gap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gaps of one track, a column for each fact. Gaps too close to distinguish become one, with the sum
 * of what was lost; a gap of which nobody knows how much (a negative number) makes that a lower
 * bound.
 */
final class GapColumns {
  private final long from;
  private final long resolution;
  private final List<Gap> gaps = new ArrayList<>();
  private final List<Boolean> unknown = new ArrayList<>();

  GapColumns(long from, long resolution) {
    this.from = from;
    this.resolution = resolution;
  }

  void add(Gap gap) {
    Gap known = new Gap(gap.from(), gap.to(), Math.max(0, gap.lost()));
    boolean open = gap.lost() < 0;
    int last = gaps.size() - 1;
    if (last >= 0 && gap.from() - gaps.get(last).to() < resolution) {
      Gap old = gaps.get(last);
      long end = Math.max(old.to(), gap.to());
      gaps.set(last, new Gap(old.from(), end, old.lost() + known.lost()));
      unknown.set(last, unknown.get(last) || open);
    } else {
      gaps.add(known);
      unknown.add(open);
    }
  }

  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("gaps");
    column(json, "from", gaps.stream().mapToLong(g -> offset(g.from())).toArray());
    column(json, "to", gaps.stream().mapToLong(g -> offset(g.to())).toArray());
    column(json, "lost", gaps.stream().mapToLong(Gap::lost).toArray());
    json.writeArrayFieldStart("unknown");
    for (boolean open : unknown) {
      json.writeBoolean(open);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private long offset(long time) {
    return SliceColumns.offset(time, from);
  }

  private static void column(JsonGenerator json, String name, long[] values) throws IOException {
    json.writeFieldName(name);
    json.writeArray(values, 0, values.length);
  }
}
