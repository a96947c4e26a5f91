package dev.kymo.exporters.csv;

import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.source.Facts;
import dev.kymo.format.Definition;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedMethod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The tables of threads, of methods, of calls that were counted only, and of the whole. */
final class FactTables {
  /** The table of facts about the recording as a whole; each export has it. */
  static final String WHOLE = "recording.csv";

  private final ExportSource source;
  private final Path folder;
  private final CsvCells cells;

  FactTables(ExportSource source, Path folder, CsvCells cells) {
    this.source = source;
    this.folder = folder;
    this.cells = cells;
  }

  void write() throws IOException {
    threads();
    methods();
    counted();
    whole();
  }

  private CsvTable table(String file, String head) throws IOException {
    return new CsvTable(folder.resolve(file), head, cells);
  }

  private void threads() throws IOException {
    String head =
        "track,process,thread,kind,of_track,name,tid,java_id,begin_ns,end_ns,calls,events,lost,"
            + "lost_at_least";
    NanoClock clock = source.pass().nanoClock();
    long base = source.pass().base();
    try (CsvTable table = table("threads.csv", head)) {
      for (ExportTrack track : source.tracks()) {
        Definition.TracedThread thread = track.definition();
        table.number(track.number()).number(track.process()).number(thread.thread());
        table.text(track.kind().name().toLowerCase(Locale.ROOT));
        table.text(track.of() < 0 ? "" : Integer.toString(track.of())).text(thread.name());
        table.number(thread.tid()).number(thread.javaId());
        table.number(clock.nanos(Math.max(base, track.thread().first())));
        table.number(clock.nanos(Math.max(base, track.thread().last())));
        table.number(track.thread().counts().calls()).number(track.thread().counts().events());
        table.number(track.thread().gaps().lost());
        boolean atLeast = source.losses(track).stream().anyMatch(loss -> loss.count() < 0);
        table.text(Boolean.toString(atLeast)).end();
      }
    }
  }

  private void methods() throws IOException {
    try (CsvTable table =
        table("methods.csv", "method,process,class,name,descriptor,loader,source,line")) {
      for (int i = 0; i < source.methods(); i++) {
        TracedMethod method = source.method(i);
        table.number(i).number(method.process()).text(method.type()).text(method.name());
        table.text(method.descriptor()).text(method.loader()).text(method.source());
        table.number(method.line()).end();
      }
    }
  }

  private void counted() throws IOException {
    try (CsvTable table =
        table("counted.csv", "track,method,name,mode,calls,timed,total_ns,durations_ns,max_ns")) {
      for (ExportTrack track : source.tracks()) {
        source.counted(
            track,
            calls -> {
              table.number(track.number()).number(calls.method());
              table
                  .text(source.method(calls.method()).qualifiedName())
                  .text(ExportWords.mode(calls.mode()));
              table.number(calls.calls()).number(calls.timed()).number(calls.total());
              table.number(calls.durations()).number(calls.max()).end();
            });
      }
    }
  }

  private void whole() throws IOException {
    try (CsvTable table = table(WHOLE, "name,value")) {
      for (Facts.Fact fact : Facts.of(source)) {
        table.text(fact.name()).text(fact.value()).end();
      }
    }
  }
}
