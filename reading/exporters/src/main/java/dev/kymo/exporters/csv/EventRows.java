package dev.kymo.exporters.csv;

import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.table.SortedRows;
import dev.kymo.exporters.table.Texts;
import dev.kymo.format.EventKind;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The tables of user events and losses, of counters, of messages, and of the kernel's events.
 *
 * <pre>
 *   a row while it waits: time · order · track · number of the event, -1 = a loss · text
 * </pre>
 */
final class EventRows implements Closeable {
  private static final int WIDTH = 5;
  private static final String HEAD = "time_ns,track,process,thread,thread_name,";

  private final ExportSource source;
  private final Path folder;
  private final CsvCells cells;
  private final Texts texts;
  private final SortedRows events;
  private final SortedRows counters;
  private long order;

  EventRows(ExportSource source, Path folder, Texts texts, CsvCells cells) {
    this.source = source;
    this.folder = folder;
    this.cells = cells;
    this.texts = texts;
    this.events = new SortedRows(WIDTH, folder, ".events-");
    this.counters = new SortedRows(WIDTH, folder, ".counters-");
  }

  void add(ExportTrack track, long time, EventData data) {
    boolean counter = data.event().isCounter();
    String text = counter ? data.number().toString() : data.text();
    (counter ? counters : events)
        .add(time, order++, track.number(), data.event().number(), texts.add(text));
  }

  void losses(ExportTrack track) {
    for (ExportSource.Loss loss : source.losses(track)) {
      String text = "%s until_ns=%d".formatted(ExportWords.loss(loss), loss.to());
      events.add(loss.from(), order++, track.number(), -1, texts.add(text));
    }
  }

  String write() throws IOException {
    return "%d events, %d counter values, %d messages, %d kernel events"
        .formatted(
            write(events, "events.csv", "kind,event,data"),
            write(counters, "counters.csv", "kind,counter,value"),
            messages(),
            kernel());
  }

  private long write(SortedRows rows, String file, String columns) throws IOException {
    try (CsvTable table = new CsvTable(folder.resolve(file), HEAD + columns, cells)) {
      rows.forEach(row -> {
        ExportTrack track = source.tracks().get((int) row[2]);
        table.number(row[0]).number(row[2]).number(track.process());
        table.number(track.thread().thread()).text(track.definition().name());
        if (row[3] < 0) {
          table.text("lost").text("");
        } else {
          TracedEvent event = source.definitions().event((int) row[3]);
          table.text(EventKind.word(event.kind())).text(event.qualifiedName());
        }
        table.text(texts.get(row[4])).end();
      });
      return table.rows();
    }
  }

  private long messages() throws IOException {
    String head = "sent_ns,received_ns,from_track,to_track,event";
    try (CsvTable table = new CsvTable(folder.resolve("messages.csv"), head, cells)) {
      source.messages((sent, received, sender, receiver, event) -> {
        table.number(sent).number(received).number(sender.number()).number(receiver.number());
        table.text(source.method(event).qualifiedName()).end();
      });
      return table.rows();
    }
  }

  /** The kernel's events as it has them; they belong to processors, not to selected threads. */
  private long kernel() throws IOException {
    KernelMerge merge =
        KernelMerge.all(
            source.pass().recording(),
            source.definitions().kernelEvents().values(),
            new Diagnostics());
    NanoClock clock = source.pass().nanoClock();
    long base = source.pass().base();
    try (CsvTable table =
        new CsvTable(folder.resolve("kernel.csv"), "time_ns,cpu,tid,subsystem,event,data", cells)) {
      for (KernelStream event = merge.until(Long.MAX_VALUE);
          event != null;
          event = merge.until(Long.MAX_VALUE)) {
        long at = event.clock();
        long time = at >= base ? clock.nanos(at) : -clock.duration(base - at);
        if (time >= source.selected().from() && time <= source.selected().to()) {
          table.number(time).number(event.cpu()).number(event.tid());
          table.text(event.format().subsystem()).text(event.format().name()).text(event.text());
          table.end();
        }
      }
      return table.rows();
    }
  }

  @Override
  public void close() throws IOException {
    try (SortedRows first = events) {
      counters.close();
    }
  }
}
