package dev.kymo.analysis.statistics;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.model.arrows.Arrows.Arrow;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.timeline.Timeline;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;

/** Finds how large messages are: the events that sent them may have a field that says it. */
final class MessageSizes {
  private static final Set<String> NAMES = Set.of("bytes", "size", "length", "len");
  private final Timeline timeline;

  /** By number of the event, the place of the field. */
  private final Map<Integer, Integer> fields = new HashMap<>();

  MessageSizes(Timeline timeline) {
    this.timeline = timeline;
    for (TracedEvent event : timeline.events()) {
      if (EventKind.SEND.is(event.kind())) {
        int field = field(event);
        if (field >= 0) {
          fields.put(event.number(), field);
        }
      }
    }
  }

  private static int field(TracedEvent event) {
    List<EventFields.Field> all = event.fields().list();
    for (int i = 0; i < all.size(); i++) {
      if (NAMES.contains(all.get(i).name()) && all.get(i).type().isInteger()) {
        return i;
      }
    }
    return -1;
  }

  /** Hands out the messages whose size is known, with their sizes. */
  void of(List<Arrow> messages, Progress progress, ObjLongConsumer<Arrow> taker) {
    messages.stream()
        .filter(message -> fields.containsKey(message.method()))
        .collect(Collectors.groupingBy(Arrow::fromTrack))
        .forEach((track, sent) -> ofTrack(track, sent, progress, taker));
  }

  private void ofTrack(
      int track, List<Arrow> unordered, Progress progress, ObjLongConsumer<Arrow> taker) {
    List<Arrow> sent =
        unordered.stream().sorted(Comparator.comparingLong(MessageSizes::at)).toList();
    int[] next = {0};
    timeline.events(
        track,
        at(sent.getFirst()),
        at(sent.getLast()),
        (time, event, batch, word) -> {
          progress.check();
          while (next[0] < sent.size() && at(sent.get(next[0])) < time) {
            next[0]++;
          }
          boolean found =
              next[0] < sent.size()
                  && at(sent.get(next[0])) == time
                  && sent.get(next[0]).method() == event.number();
          Integer field = fields.get(event.number());
          if (found && field != null) {
            taker.accept(sent.get(next[0]++), Math.max(0, event.number(batch, word, field)));
          }
        });
  }

  private static long at(Arrow message) {
    return message.time() - message.waited();
  }
}
