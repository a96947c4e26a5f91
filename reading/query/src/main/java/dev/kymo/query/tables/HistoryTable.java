package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.Selected;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.replay.HistoryPart;
import dev.kymo.reader.EventBatch;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A table of what threads did: its rows are made while their events are read again. */
abstract class HistoryTable implements SqlTable {
  /** Events of a thread from which on several threads may read it. */
  private static final long SPLIT = 1 << 20;

  final ExportSource source;
  private final String name;
  private final Set<TrackKind> kinds;
  private final List<SqlColumn> columns;

  /** A table of tracks of these kinds. */
  HistoryTable(ExportSource source, String name, Set<TrackKind> kinds, List<SqlColumn> columns) {
    this.source = source;
    this.name = name;
    this.kinds = kinds;
    this.columns = columns;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final List<SqlColumn> columns() {
    return columns;
  }

  @Override
  public final long rows() {
    return source.tracks().stream()
        .filter(track -> kinds.contains(track.kind()))
        .mapToLong(this::rows)
        .sum();
  }

  /** About how many rows a track has. */
  abstract long rows(ExportTrack track);

  /** Makes rows of what it is handed. */
  abstract CallSink into(Rows rows);

  /** Puts a call or state of the range. Nanoseconds; the clock is the caller's. */
  @FunctionalInterface
  interface SpanRow {
    void put(CallCursor call, long begin, long finish, NanoClock clock);
  }

  /** Takes the calls and states that overlap the range. */
  final CallSink spans(SpanRow row) {
    Selected selected = source.selected();
    NanoClock begins = source.pass().nanoClock();
    NanoClock ends = source.pass().nanoClock();
    return call -> {
      long begin = begins.nanos(call.begin());
      long finish = ends.nanos(call.end());
      if (selected.overlaps(begin, finish)) {
        row.put(call, begin, finish, begins);
      }
    };
  }

  /** Puts a user event of the range on the track of the thread that it is about. */
  @FunctionalInterface
  interface EventRow {
    void put(ExportTrack owner, long time, TracedEvent event, EventBatch batch, int word);
  }

  /** Takes the user events in the range that are wanted. */
  final CallSink events(Predicate<TracedEvent> wanted, EventRow row) {
    Selected selected = source.selected();
    NanoClock times = source.pass().nanoClock();
    return new CallSink() {
      @Override
      public void call(CallCursor call) {}

      @Override
      public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
        long time = times.nanos(clock);
        TracedEvent known = source.definitions().event(event);
        if (wanted.test(known) && selected.overlaps(time, time)) {
          row.put(source.owner(source.track(thread)), time, known, batch, word);
        }
      }
    };
  }

  @Override
  public final Scan scan() {
    List<HistoryPart> parts = source.parts(track -> kinds.contains(track.kind()), SPLIT);
    Queue<HistoryPart> left = new ConcurrentLinkedQueue<>(parts);
    return new Scan() {
      @Override
      public int threads() {
        return Math.max(1, parts.size());
      }

      @Override
      public @Nullable Part next() {
        HistoryPart part = left.poll();
        return part == null ? null : new Begun(part);
      }
    };
  }

  /** A part, read since its first rows were asked for. */
  private final class Begun implements Part {
    private final HistoryPart part;
    private HistoryPart.@Nullable Reading reading;

    Begun(HistoryPart part) {
      this.part = part;
    }

    @Override
    public boolean read(Rows rows) {
      if (reading == null) {
        reading = part.read(into(rows));
      }
      return reading.next();
    }
  }
}
