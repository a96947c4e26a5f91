package dev.kymo.reader;

import dev.kymo.format.Definition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the definitions of a recording while it is written: each {@link #poll} continues where the
 * previous one ended. Unlike {@link Follower}, the recording process may use it too. Used by one
 * thread.
 */
public final class DefinitionFollower {
  private final Recording recording;
  private final Diagnostics diagnostics;
  private final List<DefinitionReader> streams = new ArrayList<>();
  private final Set<Integer> ignored = new HashSet<>();

  /**
   * Nothing is read yet.
   *
   * @param diagnostics takes the oddities of what is read
   */
  public DefinitionFollower(Recording recording, Diagnostics diagnostics) {
    this.recording = recording;
    this.diagnostics = diagnostics;
  }

  /** Takes definitions. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes a definition; a later one of the same kind and number replaces it.
     *
     * @param process in whose stream it stands, 0 for the recorder's
     */
    void definition(int process, long clock, Definition definition);
  }

  /**
   * Delivers new definitions, also of new streams.
   *
   * @throws IOException if the recording is gone
   */
  public void poll(Sink sink) throws IOException {
    recording.findStreams();
    read(sink, false);
  }

  public void ignore(int process) {
    ignored.add(process);
  }

  /**
   * Delivers new definitions of the known streams.
   *
   * @param complete whether nothing more will come, so that a cut end is odd
   */
  void read(Sink sink, boolean complete) {
    List<StreamSource> files = recording.definitionStreams();
    for (int i = 0; i < files.size(); i++) {
      if (i == streams.size()) {
        streams.add(recording.definitions(files.get(i), diagnostics));
        streams.getLast().follow();
      }
      DefinitionReader stream = streams.get(i);
      if (complete) {
        stream.complete();
      }
      boolean wanted = stream.packets() == 0 || !ignored.contains(stream.process());
      if (wanted && (files.get(i).changed(diagnostics) || complete)) {
        readAll(stream, sink);
      }
    }
  }

  private void readAll(DefinitionReader stream, Sink sink) {
    Definition definition = stream.next();
    while (definition != null) {
      if (definition instanceof Definition.Recording whole) {
        recording.overwrites(whole.whenFull().equals("overwrite"));
      }
      sink.definition(stream.process(), stream.clock(), definition);
      definition = ignored.contains(stream.process()) ? null : stream.next();
    }
  }
}
