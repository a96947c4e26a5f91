package dev.kymo.importers.barrelfish;

import dev.kymo.format.Definition;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import dev.kymo.writer.TrackStream;
import java.io.IOException;

/** Track of a core: the applications that ran, as calls, and events. */
final class CoreTrack implements AutoCloseable {
  private final int core;
  private final int track;
  private final TrackStream stream;
  private final Kinds kinds;
  private long last;
  private int running;

  CoreTrack(
      RecordingFiles files, DefinitionFile definitions, Kinds kinds, int process, int core, long at)
      throws IOException {
    this.core = core;
    this.track = core + 1;
    this.kinds = kinds;
    definitions.define(
        at,
        new Definition.TracedThread(track, Definition.TracedThread.CPU, 0, core, "core " + core));
    this.stream = new TrackStream(files.directory(), files.uuid(), process, core, definitions);
  }

  /** Time of the last event. */
  long last() {
    return last;
  }

  /**
   * Appends an event.
   *
   * @param at not before the last event
   * @param facts have the applications' names
   */
  void add(long at, long word, LogFacts facts) throws IOException {
    last = at;
    if (Word.isMessage(word)) {
      stream.event(track, at, kinds.event(word), Word.key(word));
      return;
    }
    if (kinds.names().isSwitch(word) && !kinds.names().isMarker(word)) {
      run(at, Word.argument(word), facts);
    }
    stream.event(track, at, kinds.event(word), Word.argument(word) & 0xFFFFFFFFL);
  }

  private void run(long at, int dcb, LogFacts facts) throws IOException {
    if (running != 0) {
      stream.leave(track, at, running, 0);
    }
    running = kinds.application(dcb == 0 ? "idle" : facts.name(core, dcb));
    stream.enter(track, at, running);
  }

  void flush() throws IOException {
    stream.flush();
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
