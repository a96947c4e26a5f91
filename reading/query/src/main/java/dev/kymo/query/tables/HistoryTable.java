package dev.kymo.query.tables;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.replay.HistoryPart;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A table of what threads did: its rows are made while their events are read again. */
abstract class HistoryTable implements Table {
  /** Events of a thread from which on several threads may read it. */
  private static final long SPLIT = 1 << 20;

  final ExportSource source;
  private final String name;
  private final Set<TrackKind> kinds;
  private final List<Column> columns;

  /** A table of tracks of these kinds. */
  HistoryTable(ExportSource source, String name, Set<TrackKind> kinds, List<Column> columns) {
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
  public final List<Column> columns() {
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
  abstract CallSink into(Rows rows, boolean[] wanted);

  @Override
  public final Scan scan(boolean[] wanted) {
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
        return part == null ? null : new Begun(part, wanted);
      }
    };
  }

  /** A part, read since its first rows were asked for. */
  private final class Begun implements Part {
    private final HistoryPart part;
    private final boolean[] wanted;
    private HistoryPart.@Nullable Reading reading;

    Begun(HistoryPart part, boolean[] wanted) {
      this.part = part;
      this.wanted = wanted;
    }

    @Override
    public boolean read(Rows rows) {
      if (reading == null) {
        reading = part.read(into(rows, wanted));
      }
      return reading.next();
    }
  }
}
