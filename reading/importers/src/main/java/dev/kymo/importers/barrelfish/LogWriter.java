package dev.kymo.importers.barrelfish;

import dev.kymo.format.Definition;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the contents of the lines of a log as a recording. */
final class LogWriter implements AutoCloseable {
  private static final int WHOLE = 0;
  private static final int SYSTEM = 1;

  private final RecordingFiles files;
  private final LogFacts facts;
  private final Mishaps mishaps;
  private final LogTime time = new LogTime();
  private final DefinitionFile whole;
  private final DefinitionFile definitions;
  private final Map<Integer, CoreTrack> cores = new TreeMap<>();
  private @Nullable Kinds kinds;
  private long begin;

  /**
   * A recording of nothing so far.
   *
   * @param facts know, of each line, at least what the lines before it said
   */
  LogWriter(RecordingFiles files, LogFacts facts, Mishaps mishaps) throws IOException {
    this.files = files;
    this.facts = facts;
    this.mishaps = mishaps;
    this.whole = new DefinitionFile(files.directory(), files.uuid(), WHOLE);
    this.definitions = new DefinitionFile(files.directory(), files.uuid(), SYSTEM);
  }

  /**
   * Takes all names and the time of the begin, which are known now.
   *
   * @param source where the log is from
   * @param notices what a reader of the recording should know
   */
  void begin(String source, List<String> notices) throws IOException {
    begin = facts.first();
    whole.define(
        begin,
        new Definition.Recording(
            "", source, "unknown", "Barrelfish", "unknown", facts.cores(), "discard"));
    for (String notice : notices) {
      notice(notice);
    }
    whole.flush();
    definitions.define(begin, new Definition.TracedProcess(SYSTEM, 0, 0, "Barrelfish", ""));
    kinds = new Kinds(definitions, facts.names(), begin);
  }

  /** Appends a line's event, if it has one. */
  void add(LogLine line, long number) throws IOException {
    time.see(line);
    if (line instanceof LogLine.Other) {
      mishaps.notUnderstood(number);
    } else if (line instanceof LogLine.Event event) {
      CoreTrack core = core(event.core());
      long wanted = time.of(event);
      if (wanted < core.last()) {
        mishaps.back(number, event.core(), wanted, core.last());
      }
      core.add(Math.max(wanted, core.last()), event.word(), facts);
    }
  }

  private CoreTrack core(int core) throws IOException {
    CoreTrack known = cores.get(core);
    Kinds names = kinds;
    if (names == null) {
      throw new IllegalStateException("not begun");
    }
    if (known == null) {
      known = new CoreTrack(files, definitions, names, SYSTEM, core, begin);
      cores.put(core, known);
    }
    return known;
  }

  /** Writes everything to the files; returns the time of the last event. */
  long flush() throws IOException {
    definitions.flush();
    long last = begin;
    for (CoreTrack core : cores.values()) {
      core.flush();
      last = Math.max(last, core.last());
    }
    return last;
  }

  void notice(String text) throws IOException {
    whole.define(begin, new Definition.Notice(WHOLE, text));
  }

  /** Writes the end: nothing more will come. */
  @Override
  public void close() throws IOException {
    try (files;
        whole;
        definitions) {
      for (CoreTrack core : cores.values()) {
        core.close();
      }
      for (String text : mishaps.texts()) {
        notice(text);
      }
      whole.define(facts.last(), new Definition.ProcessEnd(SYSTEM, Definition.ProcessEnd.ENDED, 0));
    }
  }
}
