package dev.kymo.server.answers;

import dev.kymo.analysis.events.EventChoice;
import dev.kymo.analysis.events.EventGroup;
import dev.kymo.analysis.events.EventPage;
import dev.kymo.analysis.events.RecordedEvent;
import dev.kymo.analysis.names.NamePattern;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/** {@code /api/events}: a page of everything that happened around a time. */
public final class EventsAnswer {
  static final int MAX_COUNT = 5000;
  private static final int USUAL_COUNT = 200;

  private EventsAnswer() {}

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    long at = query.number("at", 0, Long.MAX_VALUE / 2);
    int count = query.has("count") ? (int) query.number("count", 1, MAX_COUNT) : USUAL_COUNT;
    boolean back = query.flag("back");
    Function<Progress, EventChoice> choice = choice(timeline, query);
    return progress -> {
      EventChoice chosen = choice.apply(progress);
      EventPage page =
          back
              ? EventPage.before(timeline, selection, chosen, at, count, progress)
              : EventPage.after(timeline, selection, chosen, at, count, progress);
      return json -> {
        json.writeStartObject();
        new Columns<>(json, page.events())
            .times("time", RecordedEvent::time)
            .ints("track", RecordedEvent::track)
            .ints("depth", RecordedEvent::depth)
            .ints("method", RecordedEvent::method)
            .ints("kind", RecordedEvent::kind)
            .numbers("duration", RecordedEvent::duration)
            .ints("other", RecordedEvent::other)
            .numbers("object", event -> Integer.toUnsignedLong(event.object()))
            .texts("name", RecordedEvent::name)
            .texts("text", RecordedEvent::text);
        json.writeBooleanField("more", page.more());
        json.writeEndObject();
      };
    };
  }

  private static Function<Progress, EventChoice> choice(Timeline timeline, Query query) {
    Set<EventGroup> groups =
        query.has("groups") ? groups(query.text("groups")) : EventChoice.ALL.groups();
    if (!query.has("pattern")) {
      return progress -> new EventChoice(groups, null, null);
    }
    NamePattern pattern = NamePattern.of(query.text("pattern"));
    return progress ->
        new EventChoice(
            groups, pattern.methods(timeline, progress), name -> pattern.matches(name, progress));
  }

  private static Set<EventGroup> groups(String text) {
    Set<EventGroup> groups = EnumSet.noneOf(EventGroup.class);
    for (String word : text.split(",")) {
      EventGroup group =
          EventGroup.of(word)
              .orElseThrow(() -> new BadRequestException("No group of events: " + word + '.'));
      groups.add(group);
    }
    return groups;
  }
}
