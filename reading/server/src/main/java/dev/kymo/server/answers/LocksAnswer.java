package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.locks.LockCycle;
import dev.kymo.analysis.locks.LockQuery;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.locks.LockRow;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import dev.kymo.tables.LocksTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code /api/locks}: which locks threads waited for and held, and possible deadlocks. */
public final class LocksAnswer {
  private record Thread(int process, int thread) {}

  private final Map<Thread, Integer> tracks = new HashMap<>();

  private final int processes;

  private LocksAnswer(Timeline timeline) {
    processes = timeline.processes().size();
    for (Track track : timeline.tracks()) {
      Thread thread = new Thread(track.process(), track.thread());
      if (track.kind() == TrackKind.CALLS) {
        tracks.put(thread, track.id());
      } else {
        tracks.putIfAbsent(thread, track.of() >= 0 ? track.of() : track.id());
      }
    }
  }

  public static Jobs.Work of(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    return progress -> {
      Path directory = timeline.directory().orElse(null);
      if (directory == null) {
        return json -> new LocksAnswer(timeline).write(json, false, List.of(), List.of());
      }
      long to = selection.to() >= timeline.duration() ? Long.MAX_VALUE : selection.to();
      try (Recording recording = Recording.open(directory)) {
        LockQuery all = new LockQuery(selection.from(), to, thread -> true, object -> true, 1);
        LockReport report = LockReport.of(recording, all, progress.listener());
        return json ->
            new LocksAnswer(timeline)
                .write(json, report.recorded(), report.rows(), report.cycles());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private int track(ThreadCalls thread) {
    return tracks.getOrDefault(new Thread(thread.process(), thread.definition().thread()), -1);
  }

  private void write(
      JsonGenerator json, boolean recorded, List<LockRow> rows, List<LockCycle> cycles)
      throws IOException {
    json.writeStartObject();
    json.writeBooleanField("recorded", recorded);
    TableAnswer.write(json, LocksTable.of(processes), rows);
    new Columns<>(json, rows)
        .ints("longestTrack", row -> row.longest().map(l -> track(l.thread())).orElse(-1));
    json.writeArrayFieldStart("cycles");
    for (LockCycle cycle : cycles) {
      json.writeStartObject();
      json.writeBooleanField("happened", cycle.hasHappened());
      new Columns<>(json, cycle.steps())
          .ints("track", step -> track(step.thread()))
          .texts("held", LockCycle.Step::held)
          .texts("wanted", LockCycle.Step::wanted)
          .times("time", step -> step.wantedAt().time());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
