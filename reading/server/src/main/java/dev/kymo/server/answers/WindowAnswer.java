package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.timeline.Gap;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code /api/window}: what some tracks did between two times, in visible detail.
 *
 * <p>An answer is bounded. If it would hold too many slices, it is made again at a coarser
 * resolution, and says so.
 */
public final class WindowAnswer {
  static final int MAX_TRACKS = 512;
  static final int MAX_SLICES = 60_000;

  private final Timeline timeline;
  private final long from;
  private final long to;
  private final int[] tracks;
  private final DepthSet depths;

  private WindowAnswer(Timeline timeline, long from, long to, int[] tracks, DepthSet depths) {
    this.timeline = timeline;
    this.from = from;
    this.to = to;
    this.tracks = tracks;
    this.depths = depths;
  }

  public static Answers.Body of(Timeline timeline, Query query) {
    long from = query.number("from", 0, Long.MAX_VALUE / 2);
    long to = query.number("to", from, Long.MAX_VALUE / 2);
    long resolution = query.number("resolution", 0, Long.MAX_VALUE / 8);
    int[] tracks = query.numbers("tracks", timeline.tracks().size() - 1, MAX_TRACKS);
    DepthSet depths = query.has("depth") ? DepthSet.parse(query.text("depth")) : DepthSet.all();
    return new WindowAnswer(timeline, from, to, tracks, depths).collect(resolution);
  }

  private Answers.Body collect(long asked) {
    long resolution = asked;
    while (true) {
      List<SliceColumns> columns = new ArrayList<>();
      if (fill(columns, resolution)) {
        return body(columns, asked, resolution, false);
      }
      if (resolution > to - from) {
        // It cannot get coarser than that; deliver what there was room for.
        return body(columns, asked, resolution, true);
      }
      resolution = Math.max(resolution * 4, Math.max(1, (to - from) >> 14));
    }
  }

  /** Collects all tracks' slices; false if there are too many. */
  private boolean fill(List<SliceColumns> columns, long resolution) {
    int room = MAX_SLICES;
    boolean complete = true;
    for (int track : tracks) {
      SliceColumns slices = new SliceColumns(from, room);
      columns.add(slices);
      try {
        timeline.slices(track, from, to, resolution, depths::contains, slices);
      } catch (SliceColumns.FullException e) {
        complete = false;
      }
      room -= slices.size();
      if (!complete && resolution <= to - from) {
        return false;
      }
    }
    return complete;
  }

  private Answers.Body body(List<SliceColumns> columns, long asked, long resolution, boolean cut) {
    return json -> {
      json.writeStartObject();
      Answers.time(json, "from", from);
      Answers.time(json, "to", to);
      Answers.time(json, "resolution", resolution);
      json.writeBooleanField("coarser", resolution != asked);
      json.writeBooleanField("cut", cut);
      json.writeArrayFieldStart("tracks");
      for (int i = 0; i < tracks.length; i++) {
        json.writeStartObject();
        json.writeNumberField("track", tracks[i]);
        columns.get(i).write(json);
        writeGaps(json, timeline.gaps(tracks[i], from, to), resolution);
        new PeriodColumns(from, to, resolution)
            .addAll(timeline.counts().periods(tracks[i], from, to))
            .write(json);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  private void writeGaps(JsonGenerator json, List<Gap> gaps, long resolution) throws IOException {
    GapColumns columns = new GapColumns(from, resolution);
    gaps.forEach(columns::add);
    columns.write(json);
  }
}
