package dev.kymo.server;

import dev.kymo.analysis.EventPage;
import dev.kymo.analysis.RecordedEvent;
import dev.kymo.analysis.Selection;
import dev.kymo.model.Timeline;

/** {@code /api/events}: a page of the events around a time. */
final class EventsAnswer {
  static final int MAX_COUNT = 5000;
  private static final int USUAL_COUNT = 200;

  private EventsAnswer() {}

  static Jobs.Work of(Timeline timeline, Query query) {
    Selection selection = SelectionQuery.of(timeline, query);
    long at = query.number("at", 0, Long.MAX_VALUE / 2);
    int count = query.has("count") ? (int) query.number("count", 1, MAX_COUNT) : USUAL_COUNT;
    boolean back = query.flag("back");
    return progress -> {
      EventPage page =
          back
              ? EventPage.before(timeline, selection, at, count, progress)
              : EventPage.after(timeline, selection, at, count, progress);
      return json -> {
        json.writeStartObject();
        new Columns<>(json, page.events())
            .times("time", RecordedEvent::time)
            .ints("track", RecordedEvent::track)
            .ints("depth", RecordedEvent::depth)
            .ints("method", RecordedEvent::method)
            .ints("kind", RecordedEvent::kind)
            .numbers("duration", RecordedEvent::duration);
        json.writeBooleanField("more", page.more());
        json.writeEndObject();
      };
    };
  }
}
