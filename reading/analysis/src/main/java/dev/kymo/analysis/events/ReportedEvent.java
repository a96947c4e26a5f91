package dev.kymo.analysis.events;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * A user event in words.
 *
 * @param event its kind
 * @param text its data; the end is cut off if they are very long
 * @param frames methods of its stack, if it has one, the innermost first, at most 2048
 */
public record ReportedEvent(long time, TracedEvent event, String text, List<Integer> frames) {
  private static final int MAX_FRAMES = 2048;
  private static final int MAX_TEXT = 10_000;

  /** Ends the reading: there is enough. */
  private static final class EnoughException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EnoughException() {
      super("enough", null, false, false);
    }
  }

  /** The first ones on a track between two times, no more than wanted. */
  public static List<ReportedEvent> first(
      Timeline timeline, int track, long from, long to, int wanted, Progress progress) {
    List<ReportedEvent> told = new ArrayList<>();
    try {
      timeline.events(
          track,
          from,
          to,
          (time, event, batch, word) -> {
            progress.check();
            if (told.size() == wanted) {
              throw new EnoughException();
            }
            told.add(
                new ReportedEvent(
                    time,
                    event,
                    cut(event.text(batch, word)),
                    event.frames(batch, word, MAX_FRAMES)));
          });
    } catch (EnoughException e) {
      // as wanted
    }
    return told;
  }

  /** A text without what makes it too long. */
  public static String cut(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + '…';
  }
}
