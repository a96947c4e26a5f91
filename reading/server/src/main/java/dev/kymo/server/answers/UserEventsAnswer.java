package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.events.CounterCurve;
import dev.kymo.analysis.events.DrawnUserEvents;
import dev.kymo.analysis.events.Mark;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** {@code /api/own}: the events of the program's own on some tracks, as they are drawn. */
public final class UserEventsAnswer {
  private static final int MAX_TRACKS = 64;

  private final long from;

  private UserEventsAnswer(long from) {
    this.from = from;
  }

  public static Jobs.Work of(Timeline timeline, Query query) {
    long from = query.number("from", 0, Long.MAX_VALUE / 2);
    long to = query.number("to", from, Long.MAX_VALUE / 2);
    long resolution = query.number("resolution", 0, Long.MAX_VALUE / 16);
    int[] tracks = query.numbers("tracks", timeline.tracks().size() - 1, MAX_TRACKS);
    UserEventsAnswer answer = new UserEventsAnswer(from);
    return progress -> {
      List<DrawnUserEvents> all =
          DrawnUserEvents.read(timeline, tracks, from, to, resolution, progress);
      return json -> answer.write(json, all);
    };
  }

  private void write(JsonGenerator json, List<DrawnUserEvents> all) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("tracks");
    for (DrawnUserEvents own : all) {
      json.writeStartObject();
      json.writeNumberField("track", own.track());
      writeMarks(json, own.marks());
      json.writeArrayFieldStart("curves");
      for (CounterCurve curve : own.curves()) {
        writeCurve(json, curve);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeMarks(JsonGenerator json, List<Mark> marks) throws IOException {
    json.writeObjectFieldStart("marks");
    new Columns<>(json, marks)
        .numbers("begin", mark -> offset(mark.begin()))
        .numbers("end", mark -> offset(mark.end()))
        .numbers("count", Mark::count)
        .ints("different", Mark::different);
    // Those of all marks one after the other: three at most of each.
    new Columns<>(json, marks.stream().flatMap(mark -> mark.most().stream()).toList())
        .ints("event", Mark.Kind::event)
        .numbers("times", Mark.Kind::count);
    json.writeEndObject();
  }

  private void writeCurve(JsonGenerator json, CounterCurve curve) throws IOException {
    json.writeStartObject();
    json.writeNumberField("event", curve.event());
    json.writeFieldName("before");
    value(json, curve.before());
    new Columns<>(json, curve.points()).numbers("time", point -> offset(point.time()));
    values(json, "min", curve, CounterCurve.Point::min);
    values(json, "max", curve, CounterCurve.Point::max);
    values(json, "last", curve, CounterCurve.Point::last);
    json.writeEndObject();
  }

  private static void values(
      JsonGenerator json,
      String name,
      CounterCurve curve,
      ToDoubleFunction<CounterCurve.Point> fact)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (CounterCurve.Point point : curve.points()) {
      value(json, fact.applyAsDouble(point));
    }
    json.writeEndArray();
  }

  /** JSON has no endless numbers; most are whole and shorter as such. */
  static void value(JsonGenerator json, double value) throws IOException {
    if (Double.isNaN(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) <= SliceColumns.MAX_OFFSET) {
      json.writeNumber((long) value);
    } else {
      json.writeNumber(Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE));
    }
  }

  private long offset(long time) {
    return SliceColumns.offset(time, from);
  }
}
