package dev.kymo.importers.chrome;

import dev.kymo.format.EventKind;
import dev.kymo.importers.chrome.Words.Shape;
import dev.kymo.importers.chrome.json.TraceEvent;
import dev.kymo.importers.chrome.json.TraceVisitor;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.Map;

/** Writes a file's events into a recording. */
final class Conversion implements TraceVisitor {
  /** Events with a key of their own: the category of slices that name the flows they are in. */
  private static final String FLOWS = "flow";

  private static final int MOST_BESIDE = 200;
  private static final int MOST_NOTICES = 100;

  private final Target target;
  private final Survey survey;
  private final Tracks tracks;
  private final Operations operations;
  private final Writer writer;
  private final long shift;
  private int notices;

  /**
   * A conversion.
   *
   * @param shift added to all times: clocks of recordings do not go below 0
   */
  Conversion(Target target, Survey survey, long shift) {
    this.target = target;
    this.survey = survey;
    this.shift = shift;
    this.tracks = new Tracks(target, survey);
    this.operations = new Operations(tracks);
    this.writer = new Writer(target, survey.kinds());
  }

  @Override
  public void event(TraceEvent event, long offset) throws IOException {
    Shape shape = Words.shape(event);
    String phase = event.phase().isEmpty() ? "none" : event.phase();
    if (shape == Shape.METADATA && Survey.isName(event)) {
      tracks.process(event.pid());
      target.tally().count(event.name(), "names");
      return;
    }
    target.tally().count(phase, Words.became(shape));
    long time = (event.hasTime() ? event.time() : survey.first()) + shift;
    put(event, shape, shape == Shape.METADATA ? survey.first() + shift : time);
  }

  private void put(TraceEvent event, Shape shape, long time) throws IOException {
    switch (shape) {
      case BEGIN -> {
        begin(thread(event), event, time);
        bind(event, time, time);
      }
      case END -> end(thread(event), event, time);
      case WHOLE -> {
        long end = time + Math.max(0, event.duration());
        TargetEvent kind = writer.prepare(thread(event), Shape.WHOLE, event, fields(event, shape));
        thread(event).span(time, end, kind, writer.values());
        bind(event, time, end);
      }
      case ASYNC_BEGIN -> begin(operations.track(event, time, 1), event, time);
      case ASYNC_END -> asyncEnd(event, time);
      case ASYNC_INSTANT -> instant(operations.track(event, time, 0), event, shape, time);
      case COUNTER -> counter(event, time);
      case FLOW_OUT, FLOW_IN -> flow(event, shape, time);
      case FLOW_STEP -> {
        flow(event, Shape.FLOW_IN, time);
        flow(event, Shape.FLOW_OUT, time);
      }
      case METADATA, INSTANT -> instant(thread(event), event, shape, time);
    }
  }

  private TargetTrack thread(TraceEvent event) throws IOException {
    return tracks.thread(event.pid(), event.tid());
  }

  private Map<String, Object> fields(TraceEvent event, Shape shape) {
    return Words.fields(event, shape, survey.frames());
  }

  private void begin(TargetTrack track, TraceEvent event, long time) throws IOException {
    TargetEvent kind = writer.prepare(track, Shape.BEGIN, event, fields(event, Shape.BEGIN));
    track.begin(time, kind, writer.values());
  }

  private void end(TargetTrack track, TraceEvent event, long time) throws IOException {
    endFields(track, event, time);
    track.leave(time);
  }

  private void endFields(TargetTrack track, TraceEvent event, long time) throws IOException {
    Map<String, Object> fields = fields(event, Shape.END);
    if (!fields.isEmpty()) {
      instant(track, event, Shape.END, time);
    }
  }

  /** Calls of an operation are ended by their names. */
  private void asyncEnd(TraceEvent event, long time) throws IOException {
    Kind begun = survey.kinds().known(EventKind.BEGIN, event.category(), Words.name(event));
    if (begun == null || (survey.isAsyncOrdered() && !operations.isOpen(event))) {
      target
          .troubles()
          .count(
              "ends of asynchronous calls that had not begun are events",
              "name=\"" + event.name() + "\" id=" + event.id() + " time=" + time);
      endFields(operations.track(event, time, 0), event, time);
      return;
    }
    TargetTrack track = operations.track(event, time, -1);
    endFields(track, event, time);
    track.leave(time, writer.known(track, begun));
  }

  private void instant(TargetTrack track, TraceEvent event, Shape shape, long time)
      throws IOException {
    TargetEvent kind = writer.prepare(track, shape, event, fields(event, shape));
    track.event(time, kind, writer.values());
  }

  private void counter(TraceEvent event, long time) throws IOException {
    Map<String, Object> series = Series.of(event);
    TargetTrack track = thread(event);
    if (series.isEmpty()) {
      instant(track, event, Shape.INSTANT, time);
    }
    for (Map.Entry<String, Object> one : series.entrySet()) {
      Kind kind = survey.kinds().known(EventKind.COUNTER, event.category(), one.getKey());
      if (kind == null) {
        instant(track, event, Shape.INSTANT, time);
      } else {
        track.event(time, writer.known(track, kind), one.getValue());
      }
    }
  }

  private void flow(TraceEvent event, Shape shape, long time) throws IOException {
    TargetTrack track = thread(event);
    TargetEvent kind = writer.prepare(track, shape, event, fields(event, shape));
    String place = event.isLocal() ? event.pid() : "";
    long key = Keys.of(event.category(), event.name(), event.id(), place);
    track.event(time, kind, writer.values(key));
  }

  /** A slice that names a flow receives from it when it begins, and sends into it. */
  private void bind(TraceEvent event, long begin, long end) throws IOException {
    if (event.bindId().isEmpty()) {
      return;
    }
    TargetTrack track = thread(event);
    long key = Keys.of(event.bindId());
    if (event.isFlowIn()) {
      track.event(begin, writer.bound(track, FLOWS, EventKind.RECEIVE), key, event.bindId());
    }
    if (event.isFlowOut()) {
      long time = event.isFlowIn() ? end : begin;
      track.event(time, writer.bound(track, FLOWS, EventKind.SEND), key, event.bindId());
    }
  }

  @Override
  public void frame(String id, String name, String parent) {
    // known since the survey
  }

  @Override
  public void beside(String key, String text) throws IOException {
    if (notices++ < MOST_NOTICES) {
      String shown = text.length() <= MOST_BESIDE ? text : text.substring(0, MOST_BESIDE) + "...";
      target.notice(
          "the file says: "
              + key
              + "="
              + target.redaction().value(key, shown.replaceAll("\\s+", " ")));
    } else {
      target.troubles().count("more that stands beside the events was left out", "key=" + key);
    }
  }

  @Override
  public void cut(long offset) {
    target
        .troubles()
        .count("the file ends within its events; those before are kept", "offset=" + offset);
  }
}
