package dev.kymo.query.tables;

import dev.kymo.analysis.locks.LockQuery;
import dev.kymo.analysis.locks.LockReport;
import dev.kymo.analysis.selection.LeftOut;
import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSink;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.source.Facts;
import dev.kymo.exporters.source.Selected;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.tables.LocksTable;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables of what is known once, not of what happened: processes, threads, methods, facts. */
final class KnownTables {
  /** Rows of tables whose size nobody knows, but which are never large. */
  private static final long FEW = 1000;

  private static final ExportSink NOTHING =
      new ExportSink() {
        @Override
        public void begin(long time, int method, @Nullable EventData data) {}

        @Override
        public void end(EndedCall call) {}
      };

  private final ExportSource source;

  KnownTables(ExportSource source) {
    this.source = source;
  }

  List<SqlTable> all() {
    return List.of(
        processes(),
        threads(),
        methods(),
        eventKinds(),
        counted(),
        messages(),
        locks(),
        gaps(),
        notices(),
        facts());
  }

  private SqlTable processes() {
    List<SqlColumn> columns =
        List.of(
            SqlColumn.PROCESS,
            new SqlColumn("pid", SqlType.INT, "the kernel's number"),
            new SqlColumn("parent_pid", SqlType.INT, "the kernel's number of its parent"),
            new SqlColumn("command", SqlType.TEXT, "its command line"),
            new SqlColumn("jvm", SqlType.TEXT, "its virtual machine; native = none that recorded"),
            new SqlColumn("ending", SqlType.TEXT, "how its recording ended"),
            new SqlColumn("lost", SqlType.LONG, "events of threads for which there was no ring"),
            new SqlColumn("inside", SqlType.LONG, "ps of a probe that are in a call's own time"),
            new SqlColumn("outside", SqlType.LONG, "ps of a probe that are in its caller's time"),
            new SqlColumn("spread", SqlType.LONG, "ps that inside + outside may be off"));
    return new SmallTable(
        "processes",
        source.definitions().processes().size(),
        columns,
        rows -> {
          for (TracedProcess process : source.definitions().processes()) {
            rows.put(process.process()).put(process.pid()).put(process.parentPid());
            rows.put(process.command()).put(process.jvm()).put(process.end()).put(process.lost());
            Optional<Definition.ProbeCost> cost = source.definitions().probeCost(process.process());
            rows.put(cost.map(c -> (long) c.inside()).orElse(Rows.NULL));
            rows.put(cost.map(c -> (long) c.outside()).orElse(Rows.NULL));
            rows.put(cost.map(c -> (long) c.spread()).orElse(Rows.NULL)).end();
          }
        });
  }

  /** Threads have a row each; a track of states only if nobody knows whose states they are. */
  private SqlTable threads() {
    List<SqlColumn> columns =
        List.of(
            SqlColumn.PROCESS,
            SqlColumn.THREAD,
            new SqlColumn("kind", SqlType.TEXT, "calls, states, scheduled, jvm or cpu"),
            new SqlColumn("name", SqlType.TEXT, "its name"),
            new SqlColumn("tid", SqlType.INT, "the kernel's number; 0 = not known"),
            new SqlColumn("java_id", SqlType.LONG, "the virtual machine's number; 0 = not known"),
            SqlColumn.BEGIN,
            SqlColumn.FINISH,
            new SqlColumn("calls", SqlType.LONG, "calls that were recorded one by one"),
            new SqlColumn("events", SqlType.LONG, "events that these and others are made of"),
            new SqlColumn("lost", SqlType.LONG, "events known to be missing"),
            new SqlColumn("lost_at_least", SqlType.BOOLEAN, "whether more may be missing"));
    NanoClock clock = source.pass().nanoClock();
    long base = source.pass().base();
    return new SmallTable(
        "threads",
        source.tracks().size(),
        columns,
        rows -> {
          for (ExportTrack track : source.tracks()) {
            Definition.TracedThread thread = track.definition();
            if (track.of() >= 0) {
              continue;
            }
            rows.put(track.process()).put(thread.thread()).put(word(track.kind()));
            rows.put(thread.name()).put(thread.tid()).put(thread.javaId());
            rows.put(clock.nanos(Math.max(base, track.thread().first())));
            rows.put(clock.nanos(Math.max(base, track.thread().last())));
            rows.put(track.thread().counts().calls()).put(track.thread().counts().events());
            rows.put(track.thread().gaps().lost());
            rows.put(source.losses(track).stream().anyMatch(loss -> loss.count() < 0)).end();
          }
        });
  }

  static String word(TrackKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private SqlTable methods() {
    List<SqlColumn> columns =
        List.of(
            SqlColumn.METHOD,
            new SqlColumn("in_process", SqlType.INT, "number of the process that has it"),
            new SqlColumn("name", SqlType.TEXT, "class and method"),
            new SqlColumn("class", SqlType.TEXT, "class, or subsystem, or file"),
            new SqlColumn("simple_name", SqlType.TEXT, "without the class"),
            new SqlColumn("descriptor", SqlType.TEXT, "as in the class file"),
            new SqlColumn("loader", SqlType.TEXT, "class loader; empty for the boot loader"),
            new SqlColumn("source", SqlType.TEXT, "source file"),
            new SqlColumn("line", SqlType.INT, "first line"),
            new SqlColumn("state", SqlType.TEXT, "what it is called where it stands for a state"),
            new SqlColumn(
                "not_recorded",
                SqlType.TEXT,
                "why no call is; its time is in its callers' self; NULL = it is recorded"));
    return new SmallTable(
        "methods",
        source.methods(),
        columns,
        rows -> {
          Map<Integer, String> never = never();
          for (int i = 0; i < source.methods(); i++) {
            TracedMethod method = source.method(i);
            rows.put(i).put(method.process()).put(method.qualifiedName()).put(method.type());
            rows.put(method.name()).put(method.descriptor()).put(method.loader());
            rows.put(method.source()).put(method.line() == 0 ? Rows.NULL : method.line());
            rows.put(ExportWords.name(TrackKind.STATES, method)).put(never.get(i)).end();
          }
        });
  }

  /** Of methods that could not be recorded, the reasons. */
  private Map<Integer, String> never() {
    Map<Integer, String> reasons = new HashMap<>();
    for (ModeStep step : LeftOut.never(source.pass().steps(), Long.MIN_VALUE, Long.MAX_VALUE)) {
      reasons.put(step.method(), step.reason());
    }
    return reasons;
  }

  private SqlTable eventKinds() {
    List<SqlColumn> columns =
        List.of(
            new SqlColumn("event", SqlType.INT, "number of the event, among those of methods"),
            new SqlColumn("in_process", SqlType.INT, "number of the process that defined it"),
            new SqlColumn("subsystem", SqlType.TEXT, "the group it is in"),
            new SqlColumn("name", SqlType.TEXT, "subsystem and name"),
            new SqlColumn("kind", SqlType.TEXT, "instant, begin, end, counter, send or receive"),
            new SqlColumn("fields", SqlType.TEXT, "its fields and their types"));
    return new SmallTable(
        "event_kinds",
        source.definitions().events().size(),
        columns,
        rows -> {
          for (TracedEvent event : source.definitions().events()) {
            rows.put(event.number()).put(event.process()).put(event.subsystem().name());
            rows.put(event.qualifiedName()).put(EventKind.word(event.kind()));
            rows.put(event.definition().fields()).end();
          }
        });
  }

  private SqlTable counted() {
    List<SqlColumn> columns =
        List.of(
            SqlColumn.PROCESS,
            SqlColumn.THREAD,
            SqlColumn.METHOD,
            new SqlColumn("mode", SqlType.TEXT, "how its calls were counted"),
            new SqlColumn("calls", SqlType.LONG, "calls that were counted only"),
            new SqlColumn("timed", SqlType.LONG, "of these, calls whose time was measured"),
            new SqlColumn("total", SqlType.LONG, "ns of all of them, if known"),
            new SqlColumn("durations", SqlType.LONG, "ns of those measured"),
            new SqlColumn("longest", SqlType.LONG, "ns of the longest one measured"));
    return new SmallTable(
        "counted",
        source.methods(),
        columns,
        rows -> {
          for (ExportTrack track : source.tracks()) {
            source.counted(
                track,
                calls -> {
                  rows.put(track.process()).put(track.thread().thread()).put(calls.method());
                  rows.put(ExportWords.mode(calls.mode())).put(calls.calls()).put(calls.timed());
                  rows.put(calls.total()).put(calls.durations()).put(calls.max()).end();
                });
          }
        });
  }

  /** Sends and receipts are paired, so all events are read first. */
  private SqlTable messages() {
    List<SqlColumn> columns =
        List.of(
            new SqlColumn("sent", SqlType.LONG, "ns since the recording's begin"),
            new SqlColumn("received", SqlType.LONG, "ns since the recording's begin"),
            new SqlColumn("from_process", SqlType.INT, "process of the sender"),
            new SqlColumn("from_thread", SqlType.INT, "thread of the sender"),
            new SqlColumn("to_process", SqlType.INT, "process of the receiver"),
            new SqlColumn("to_thread", SqlType.INT, "thread of the receiver"),
            new SqlColumn("event", SqlType.INT, "number of the event that sent it"));
    return new SmallTable(
        "messages",
        FEW,
        columns,
        rows ->
            pair((sent, received, sender, receiver, event) -> {
              rows.put(sent).put(received).put(sender.process());
              rows.put(sender.thread().thread()).put(receiver.process());
              rows.put(receiver.thread().thread()).put(event).end();
            }));
  }

  private void pair(ExportSource.MessageTaker taker) {
    boolean any =
        source.definitions().events().stream().anyMatch(event -> EventKind.SEND.is(event.kind()));
    if (any) {
      synchronized (source) { // it keeps the messages of one walk at a time
        source.again();
        source.tracks().forEach(track -> source.walk(track, NOTHING));
        source.messages(taker);
      }
    }
  }

  /** Reads the whole recording. */
  private SqlTable locks() {
    Selected selected = source.selected();
    LockQuery all =
        new LockQuery(selected.from(), selected.to(), selected.threads(), object -> true, 0);
    return DefinedTable.of(
        LocksTable.of(source.definitions().processes().size()),
        FEW,
        () -> LockReport.rows(source.pass().recording(), all, ProgressListener.NONE));
  }

  private SqlTable gaps() {
    List<SqlColumn> columns =
        List.of(
            SqlColumn.PROCESS,
            SqlColumn.THREAD,
            SqlColumn.BEGIN,
            SqlColumn.FINISH,
            new SqlColumn("lost", SqlType.LONG, "events; 0 = in another's; NULL = nobody knows"));
    return new SmallTable(
        "gaps",
        FEW,
        columns,
        rows -> {
          for (ExportTrack track : source.tracks()) {
            for (ExportSource.Loss loss : source.losses(track)) {
              rows.put(track.process()).put(track.thread().thread()).put(loss.from());
              rows.put(loss.to()).put(loss.count() < 0 ? Rows.NULL : loss.count()).end();
            }
          }
        });
  }

  private SqlTable notices() {
    List<SqlColumn> columns =
        List.of(
            SqlColumn.PROCESS,
            new SqlColumn("notice", SqlType.TEXT, "what it said, as kymo info has it"));
    return new SmallTable(
        "notices",
        FEW,
        columns,
        rows ->
            source
                .definitions()
                .notices()
                .forEach(notice -> rows.put(notice.process()).put(notice.text()).end()));
  }

  private SqlTable facts() {
    List<SqlColumn> columns =
        List.of(
            new SqlColumn("name", SqlType.TEXT, "what it is about"),
            new SqlColumn("value", SqlType.TEXT, "what is known"));
    return new SmallTable(
        "facts",
        FEW,
        columns,
        rows -> Facts.of(source).forEach(fact -> rows.put(fact.name()).put(fact.value()).end()));
  }
}
