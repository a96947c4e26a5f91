package dev.kymo.server.difference;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.difference.AlignedNode;
import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.LongestCall;
import dev.kymo.analysis.difference.Side;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which calls to show of one side's recording. */
final class Places {
  private final Difference difference;
  private final Timeline timeline;
  private final Side side;
  private final Map<Long, Integer> tracks = new HashMap<>();

  Places(Difference difference, Timeline timeline, Side side) {
    this.difference = difference;
    this.timeline = timeline;
    this.side = side;
    for (Track track : timeline.tracks()) {
      if (track.kind() == TrackKind.CALLS) {
        tracks.put(key(track.process(), track.thread()), track.id());
      }
    }
  }

  private static long key(int process, int thread) {
    return (long) process << 32 | thread;
  }

  /**
   * Writes where the longest call of a path is or, where there is none, that of its nearest caller
   * that is there; null if nothing is.
   */
  void write(JsonGenerator json, AlignedNode node) throws IOException {
    int above = 0;
    for (@Nullable AlignedNode at = node; at != null; at = at.parent()) {
      Optional<CallDetail> longest = LongestCall.of(difference, at, side).flatMap(this::find);
      if (longest.isPresent()) {
        CallDetail call = longest.get();
        json.writeStartObject();
        json.writeNumberField("track", call.track());
        json.writeNumberField("depth", call.depth());
        Answers.time(json, "begin", call.begin());
        Answers.time(json, "duration", call.end() - call.begin());
        json.writeStringField("method", difference.name(at.key()));
        json.writeNumberField("above", above);
        json.writeEndObject();
        return;
      }
      above++;
    }
    json.writeNull();
  }

  /** An index that was built during recording knows times less exactly: the middle is certain. */
  private Optional<CallDetail> find(LongestCall longest) {
    Integer track = tracks.get(key(longest.thread().process(), longest.thread().thread()));
    long middle = longest.at().begin() + longest.at().duration() / 2;
    return track == null ? Optional.empty() : timeline.call(track, longest.at().depth(), middle);
  }
}
