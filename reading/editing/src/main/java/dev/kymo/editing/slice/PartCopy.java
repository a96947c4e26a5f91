package dev.kymo.editing.slice;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.reader.CountReader;
import dev.kymo.reader.DefinitionReader;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import dev.kymo.reader.ThreadStream;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/** Copies one recording into the recording of several. */
final class PartCopy {
  /** No ring of a process has such a number. */
  static final int NO_RING = 0x1000000;

  private final Part part;
  private final RecordingFiles files;
  private final DefinitionFile whole;
  private final Recording recording;
  private final LongUnaryOperator clocks;
  private final PartDefinitions definitions;

  private long done;

  /**
   * A copy that has not begun.
   *
   * @param whole takes what is said about all processes
   */
  PartCopy(Part part, RecordingFiles files, DefinitionFile whole) {
    this.part = part;
    this.files = files;
    this.whole = whole;
    this.recording = part.source().recording();
    this.clocks = part.clock().conversion();
    this.definitions = new PartDefinitions(part, () -> clocks);
  }

  /** Copies everything; returns the number of events. */
  long write(LongConsumer progress) throws IOException {
    for (StreamSource file : recording.definitionStreams()) {
      definitions(file);
      count(file, progress);
    }
    for (StreamSource file : recording.countStreams()) {
      counts(file);
      count(file, progress);
    }
    long events = 0;
    for (int i = 0; i < recording.threadStreams().size(); i++) {
      events += threads(i);
      count(recording.threadStreams().get(i), progress);
    }
    return events + KernelCopy.copy(part, definitions.kernelEvents(), clocks, files);
  }

  private void count(StreamSource file, LongConsumer progress) {
    done += file.size();
    progress.accept(done);
  }

  /** The kinds of kernel events that the recording has, by their new numbers. */
  List<KernelEventFormat> kernelEvents() {
    return definitions.kernelEvents().stream().map(PartCopy::format).toList();
  }

  static KernelEventFormat format(Definition.KernelEvent kind) {
    return KernelEventFormat.parse(kind.subsystem(), kind.format());
  }

  private void definitions(StreamSource file) throws IOException {
    DefinitionReader from = recording.definitions(file, new Diagnostics());
    Definition first = from.next();
    if (first == null) {
      return;
    }
    int process = part.process(from.process());
    if (process == 0) {
      about(from, first);
      return;
    }
    int instance = file.names() ? 1 : 0;
    String name = "p" + process + (file.names() ? StreamSource.NAMES : "-definitions");
    try (DefinitionFile to =
        new DefinitionFile(files.directory().resolve(name), files.uuid(), process, instance)) {
      for (Definition next = first; next != null; next = from.next()) {
        to.define(clocks.applyAsLong(from.clock()), definitions.of(next));
      }
      OptionalLong error = part.source().error();
      if (error.isPresent() && !file.names()) {
        to.define(
            clocks.applyAsLong(from.clock()),
            PartDefinitions.clockError(process, error.getAsLong()));
      }
    }
  }

  private void about(DefinitionReader from, Definition first) throws IOException {
    for (Definition next = first; next != null; next = from.next()) {
      definitions.whole(clocks.applyAsLong(from.clock()), next, whole);
    }
  }

  private void counts(StreamSource file) throws IOException {
    CountReader from = recording.counts(file, new Diagnostics());
    CountRecord first = from.next();
    if (first == null) {
      return;
    }
    int process = part.process(from.process());
    if (!definitions.canCount()) {
      whole.define(clocks.applyAsLong(from.clock()), definitions.notCounted(process));
      return;
    }
    Path to = files.directory().resolve("p" + process + "-counts");
    try (PacketWriter writer = PacketWriter.counts(to, files.uuid(), process).converting(clocks)) {
      for (CountRecord next = first; next != null; next = from.next()) {
        writer.count(from.clock(), next);
      }
    }
  }

  private long threads(int index) throws IOException {
    StreamSource file = recording.threadStreams().get(index);
    ThreadStream from = recording.threads(index, new Diagnostics());
    if (!from.hasNext()) {
      return 0;
    }
    int process = part.process(from.process());
    String name = file.name().replaceFirst("^p\\d+-", "");
    Path to = files.directory().resolve("p" + process + "-" + name);
    try (PacketWriter writer =
        PacketWriter.threads(to, files.uuid(), process, NO_RING + index).converting(clocks)) {
      return new EventCopy(SliceRange.everything(), writer, new Occurring(), part.definitions())
          .renumbering(part::process)
          .copy(from);
    }
  }
}
