package dev.kymo.server.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Gap;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.answers.Columns;
import dev.kymo.server.answers.MethodsAnswer;
import dev.kymo.server.answers.OverviewAnswer;
import dev.kymo.server.answers.RecordingAnswer;
import dev.kymo.server.answers.StepsAnswer;
import dev.kymo.server.http.Answers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All calls of a recording in few bytes, with everything else that its picture needs.
 *
 * <pre>
 *   u32  bytes of the head, little-endian
 *        head, JSON: recording, methods, overview as the server answers them
 *                    origin: nanoseconds from the begin of the whole recording to that of this part
 *                    steps as the server answers them
 *                    tracks: calls, gaps, periods of counting and events of its own of each
 *                    texts of the events of its own, and messages
 *                    buckets of what was counted
 *                    columns: bytes of each of the columns
 *        columns, a number for each call, track by track, in the order of their ends:
 *          depth · end, from that of the call before · duration · method · flags, 32 = nested
 *        of tracks of states and scheduled ones only, a number for each state:
 *          what was waited for · track of who let it go on, + 1
 *        what {@link PackedCounts} says
 *        what {@link PackedUserEvents} says
 * </pre>
 */
final class PackedRecording {
  private static final int NESTED = 32;

  private final Timeline timeline;
  private final long origin;
  private final NumberColumn depths = new NumberColumn();
  private final NumberColumn ends = new NumberColumn();
  private final NumberColumn durations = new NumberColumn();
  private final NumberColumn methods = new NumberColumn();
  private final NumberColumn flags = new NumberColumn();
  private final NumberColumn objects = new NumberColumn();
  private final NumberColumn others = new NumberColumn();
  private final PackedCounts counts;
  private final PackedUserEvents own;
  private final long[] calls;

  private PackedRecording(Timeline timeline, long origin) {
    this.timeline = timeline;
    this.origin = origin;
    this.counts = new PackedCounts(timeline);
    this.own = new PackedUserEvents(timeline);
    this.calls = new long[timeline.tracks().size()];
  }

  static PackedRecording of(Timeline timeline, long origin) {
    PackedRecording packed = new PackedRecording(timeline, origin);
    for (int track = 0; track < packed.calls.length; track++) {
      packed.pack(track);
    }
    return packed;
  }

  private void pack(int track) {
    boolean states = timeline.tracks().get(track).kind().hasDetails();
    timeline.calls(track, 0, Long.MAX_VALUE / 2, new Packer(track, states));
  }

  /** Packs the calls of one track. */
  private final class Packer implements CallVisitor {
    private final int track;
    private final boolean states;
    private long lastEnd;
    private int object;
    private int other = -1;

    Packer(int track, boolean states) {
      this.track = track;
      this.states = states;
    }

    @Override
    public void detail(int waitedFor, int letGoBy) {
      object = waitedFor;
      other = letGoBy;
    }

    @Override
    public void call(int depth, int method, long begin, long end, int flagsOfCall) {
      depths.add(depth);
      ends.addSigned(end - lastEnd);
      durations.add(Math.max(0, end - begin));
      methods.add(method);
      boolean nested = (flagsOfCall & CallCursor.NESTED) != 0;
      flags.add((flagsOfCall & (NESTED - 1)) | (nested ? NESTED : 0));
      lastEnd = end;
      calls[track]++;
      if (states) {
        objects.add(Integer.toUnsignedLong(object));
        others.add(other + 1L);
        object = 0;
        other = -1;
      }
    }
  }

  void writeTo(OutputStream to) throws IOException {
    List<NumberColumn> columns =
        new ArrayList<>(
            List.of(depths, ends, durations, methods, flags, objects, others, counts.numbers()));
    columns.addAll(own.columns());
    byte[] head = head(columns);
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    to.write(length.putInt(head.length).array());
    to.write(head);
    for (NumberColumn column : columns) {
      column.writeTo(to);
    }
  }

  private byte[] head(List<NumberColumn> columns) throws IOException {
    return Answers.bytes(json -> {
      json.writeStartObject();
      json.writeFieldName("recording");
      RecordingAnswer.of(timeline, timeline.name(), null).write(json);
      json.writeStringField("origin", Long.toString(origin));
      json.writeArrayFieldStart("methods");
      Map<Integer, TracedEvent> events = MethodsAnswer.events(timeline);
      for (int method = 0; method < timeline.methods(); method++) {
        MethodsAnswer.write(json, timeline.method(method), events.get(method));
      }
      json.writeEndArray();
      json.writeFieldName("overview");
      OverviewAnswer.of(timeline).write(json);
      json.writeFieldName("steps");
      StepsAnswer.of(timeline).write(json);
      writeTracks(json);
      own.write(json);
      counts.writeBuckets(json);
      Columns.column(json, "columns", columns.stream().mapToLong(NumberColumn::size).toArray());
      json.writeEndObject();
    });
  }

  private void writeTracks(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("tracks");
    for (int track = 0; track < calls.length; track++) {
      json.writeStartObject();
      json.writeNumberField("calls", calls[track]);
      List<Gap> gaps = timeline.gaps(track, 0, Long.MAX_VALUE / 2);
      json.writeObjectFieldStart("gaps");
      Columns.column(json, "from", gaps.stream().mapToLong(Gap::from).toArray());
      Columns.column(json, "to", gaps.stream().mapToLong(Gap::to).toArray());
      Columns.column(json, "lost", gaps.stream().mapToLong(Gap::lost).toArray());
      json.writeEndObject();
      counts.writePeriods(json, track);
      json.writeNumberField("own", own.count(track));
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
