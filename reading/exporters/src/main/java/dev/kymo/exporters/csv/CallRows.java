package dev.kymo.exporters.csv;

import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSink;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.table.SortedRows;
import dev.kymo.exporters.table.Texts;
import dev.kymo.model.definitions.TrackKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The tables of calls, of states by the kernel, and of waits: all have the same columns.
 *
 * <pre>
 *   a row while it waits: begin · order of begins · end · track · method · depth · flags ·
 *                         object · track of who ended a state, -1 = none · text
 * </pre>
 */
final class CallRows implements Closeable {
  private static final int WIDTH = 10;
  private static final String HEAD =
      "begin_ns,end_ns,duration_ns,track,process,thread,thread_name,kind,depth,method,name,flags,"
          + "object,by_track,data";

  private final ExportSource source;
  private final Path folder;
  private final CsvCells cells;
  private final Texts texts;
  private final SortedRows calls;
  private final SortedRows states;
  private final SortedRows waits;
  private long begun;

  CallRows(ExportSource source, Path folder, Texts texts, CsvCells cells) {
    this.source = source;
    this.folder = folder;
    this.cells = cells;
    this.texts = texts;
    this.calls = new SortedRows(WIDTH, folder, ".calls-");
    this.states = new SortedRows(WIDTH, folder, ".states-");
    this.waits = new SortedRows(WIDTH, folder, ".waits-");
  }

  ExportSink sink(ExportTrack track, EventRows events) {
    SortedRows rows =
        switch (track.kind()) {
          case CALLS, JVM, CPU -> calls;
          case SCHEDULED -> states;
          case STATES -> waits;
        };
    return new Sink(track, rows, events);
  }

  private final class Sink implements ExportSink {
    private final ExportTrack track;
    private final SortedRows rows;
    private final EventRows events;
    private long[] orders = new long[16];
    private @Nullable EventData[] data = new EventData[16];
    private int depth;

    Sink(ExportTrack track, SortedRows rows, EventRows events) {
      this.track = track;
      this.rows = rows;
      this.events = events;
    }

    @Override
    public void begin(long time, int method, @Nullable EventData atBegin) {
      if (depth == orders.length) {
        orders = Arrays.copyOf(orders, 2 * depth);
        data = Arrays.copyOf(data, 2 * depth);
      }
      data[depth] = atBegin;
      orders[depth++] = begun++;
    }

    @Override
    public void end(EndedCall call) {
      EventData atBegin = data[--depth];
      EventData atEnd = call.data();
      String text = atBegin == null ? "" : atBegin.text();
      if (atEnd != null) {
        text = text + (text.isEmpty() ? "" : " ") + atEnd.text();
      }
      int by =
          call.other() == 0 ? -1 : source.waker(track, call).map(ExportTrack::number).orElse(-1);
      rows.add(
          call.begin(),
          orders[depth],
          call.end(),
          track.number(),
          call.method(),
          call.depth(),
          call.flags(),
          call.object(),
          by,
          texts.add(text));
    }

    @Override
    public void event(long time, EventData event) {
      events.add(track, time, event);
    }
  }

  String write() throws IOException {
    return "%d calls, %d states, %d waits"
        .formatted(
            write(calls, "calls.csv"), write(states, "states.csv"), write(waits, "waits.csv"));
  }

  private long write(SortedRows rows, String file) throws IOException {
    byte[] @Nullable [] names = new byte[2 * source.methods()][]; // of states at odd places
    byte[][] threads = new byte[source.tracks().size()][];
    Arrays.setAll(threads, i -> thread(source.tracks().get(i)));
    try (CsvTable table = new CsvTable(folder.resolve(file), HEAD, cells)) {
      rows.forEach(row -> {
        int method = (int) row[4];
        TrackKind kind = source.tracks().get((int) row[3]).kind();
        int place = 2 * method + (kind == TrackKind.CALLS ? 0 : 1);
        byte[] name = names[place];
        if (name == null) {
          name = CsvTable.cell(ExportWords.name(kind, source.method(method)), cells);
          names[place] = name;
        }
        table.number(row[0]).number(row[2]).number(row[2] - row[0]).number(row[3]);
        table.bytes(threads[(int) row[3]]).number(row[5]).number(method).bytes(name);
        table.text(ExportWords.flags((int) row[6]));
        table.text(row[7] == 0 ? "" : Integer.toHexString((int) row[7]));
        table.text(row[8] < 0 ? "" : Long.toString(row[8])).text(texts.get(row[9]));
        table.end();
      });
      return table.rows();
    }
  }

  /** The columns that say which thread it is. */
  private byte[] thread(ExportTrack track) {
    byte[] name = CsvTable.cell(track.definition().name(), cells);
    String head = track.process() + "," + track.thread().thread() + ",";
    String kind = "," + track.kind().name().toLowerCase(Locale.ROOT);
    return (head + new String(name, StandardCharsets.UTF_8) + kind)
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    try (SortedRows first = calls;
        SortedRows second = states) {
      waits.close();
    }
  }
}
