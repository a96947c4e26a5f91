package dev.kymo.exporters.otf2;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.format.EventKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The other end of each message: the events of an archive say it when they happen. */
final class Messages {
  /** An end of messages: where and when. */
  private record End(int track, long time, boolean sent) {}

  /**
   * The other end.
   *
   * @param place of its track among the locations
   * @param tag tells messages apart
   */
  record Other(int place, int tag) {}

  private final Map<End, Deque<Other>> others = new HashMap<>();

  private Messages() {}

  /** Finds all, which takes a walk through all tracks if the recording has messages at all. */
  static Messages of(ExportSource source, List<ExportTrack> locations) {
    Messages found = new Messages();
    if (source.definitions().events().stream().noneMatch(e -> EventKind.SEND.is(e.kind()))) {
      return found;
    }
    for (ExportTrack track : source.tracks()) {
      source.walk(track, new Nothing());
    }
    int[] tag = {0};
    source.messages((sent, received, sender, receiver, event) -> {
      int from = locations.indexOf(sender);
      int to = locations.indexOf(receiver);
      if (from >= 0 && to >= 0) {
        found.add(new End(sender.number(), sent, true), new Other(to, tag[0]));
        found.add(new End(receiver.number(), received, false), new Other(from, tag[0]));
        tag[0]++;
      }
    });
    source.again();
    return found;
  }

  private void add(End end, Other other) {
    others.computeIfAbsent(end, e -> new ArrayDeque<>()).add(other);
  }

  /** The other end of a message; null if it is not known. */
  @Nullable Other other(ExportTrack track, long time, boolean sent) {
    Deque<Other> waiting = others.get(new End(track.number(), time, sent));
    return waiting == null ? null : waiting.poll();
  }
}
