package dev.kymo.analysis.slice;

import dev.kymo.analysis.clocks.Counters;
import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.NoticeCode;
import dev.kymo.reader.CountReader;
import dev.kymo.reader.DefinitionReader;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import dev.kymo.reader.ThreadStream;
import dev.kymo.writer.CpuStream;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/** Copies one recording into the recording of several. */
final class PartCopy {
  /** No ring of a process has such a number. */
  private static final int NO_RING = 0x1000000;

  private final RecordingMerge.Part part;
  private final int number;
  private final RecordingFiles files;
  private final DefinitionFile whole;
  private final Recording recording;
  private final LongUnaryOperator clocks;

  /** Kinds of kernel events, by the numbers that this recording gives them. */
  private final Map<Integer, Definition.KernelEvent> kernelEvents = new TreeMap<>();

  private long done;

  /**
   * A copy that has not begun.
   *
   * @param number of the recording among those that are merged
   * @param whole takes what is said about all processes
   */
  PartCopy(RecordingMerge.Part part, int number, RecordingFiles files, DefinitionFile whole) {
    this.part = part;
    this.number = number;
    this.files = files;
    this.whole = whole;
    this.recording = part.source().recording();
    this.clocks = part.clock().conversion();
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
    return events + kernel();
  }

  private void count(StreamSource file, LongConsumer progress) {
    done += file.size();
    progress.accept(done);
  }

  private int process(int of) {
    return of == 0 ? 0 : part.firstProcess() + of;
  }

  /** The kinds of kernel events that the recording has, by their new numbers. */
  List<KernelEventFormat> kernelEvents() {
    List<KernelEventFormat> formats = new ArrayList<>();
    for (Definition.KernelEvent kind : kernelEvents.values()) {
      formats.add(KernelEventFormat.parse(kind.subsystem(), kind.format()));
    }
    return formats;
  }

  private void definitions(StreamSource file) throws IOException {
    DefinitionReader from = recording.definitions(file, new Diagnostics());
    Definition first = from.next();
    if (first == null) {
      return;
    }
    int process = process(from.process());
    if (process == 0) {
      about(from, first);
      return;
    }
    int instance = file.names() ? 1 : 0;
    String name = "p" + process + (file.names() ? StreamSource.NAMES : "-definitions");
    try (DefinitionFile to =
        new DefinitionFile(files.directory().resolve(name), files.uuid(), process, instance)) {
      for (Definition next = first; next != null; next = from.next()) {
        to.define(clocks.applyAsLong(from.clock()), renumbered(next));
      }
      OptionalLong error = part.source().error();
      if (error.isPresent() && !file.names()) {
        String text = NoticeCode.CLOCK_ERROR.text() + error.getAsLong() + " ns";
        to.define(clocks.applyAsLong(from.clock()), new Definition.Notice(process, text));
      }
    }
  }

  /** Of what recordings say of themselves there is one; the others' are notices. */
  private void about(DefinitionReader from, Definition first) throws IOException {
    long begin = clocks.applyAsLong(from.clock());
    boolean noticed = false;
    for (Definition next = first; next != null; next = from.next()) {
      long clock = clocks.applyAsLong(from.clock());
      if (next instanceof Definition.Recording about && number > 0) {
        whole.define(
            clock,
            new Definition.Notice(
                0,
                "merged: recording=%s command=\"%s\" host=%s kernel=\"%s\" processor=\"%s\""
                    .formatted(
                        recording.name(),
                        about.command(),
                        about.host(),
                        about.kernel(),
                        about.processor())));
      } else if (!(next instanceof Definition.Stream)) { // the files are others
        whole.define(clock, renumbered(next));
      }
      if (!noticed) {
        whole.define(begin, RecordingMerge.notice(part));
        noticed = true;
      }
    }
  }

  private Definition renumbered(Definition what) {
    return switch (what) {
      case Definition.TracedProcess p ->
          new Definition.TracedProcess(
              process(p.process()), p.pid(), p.parentPid(), p.command(), p.jvm());
      case Definition.ProcessEnd end ->
          new Definition.ProcessEnd(process(end.process()), end.how(), end.lost());
      case Definition.ProbeCost cost ->
          new Definition.ProbeCost(
              process(cost.process()),
              cost.budget(),
              cost.inside(),
              cost.outside(),
              cost.timed(),
              cost.sampled(),
              cost.spread());
      case Definition.OwnCost own ->
          new Definition.OwnCost(
              process(own.process()),
              own.weaving(),
              own.classes(),
              own.housekeeping(),
              own.lifetime());
      case Definition.ProcessorTime time ->
          new Definition.ProcessorTime(process(time.process()), time.all(), time.compiling());
      case Definition.Notice notice ->
          new Definition.Notice(process(notice.process()), notice.text());
      case Definition.ClockPair pair ->
          new Definition.ClockPair(clocks.applyAsLong(pair.clock()), pair.monotonic(), pair.wall());
      case Definition.KernelEvent kind -> kernelEvent(kind);
      default -> what; // its numbers are those of its process
    };
  }

  private Definition kernelEvent(Definition.KernelEvent kind) {
    int event = part.firstKernelEvent() + kind.event();
    kernelEvents.put(kind.event(), kind);
    return new Definition.KernelEvent(event, kind.subsystem(), kind.format());
  }

  private void counts(StreamSource file) throws IOException {
    CountReader from = recording.counts(file, new Diagnostics());
    CountRecord first = from.next();
    if (first == null) {
      return;
    }
    int process = process(from.process());
    if (!Counters.areAsFast(part.clock().clock(), part.clock().to())) {
      whole.define(
          clocks.applyAsLong(from.clock()),
          new Definition.Notice(
              process,
              "calls that were only counted are missing: they were counted on a clock of another speed: recording="
                  + recording.name()));
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
    int process = process(from.process());
    String name = file.name().replaceFirst("^p\\d+-", "");
    Path to = files.directory().resolve("p" + process + "-" + name);
    try (PacketWriter writer =
        PacketWriter.threads(to, files.uuid(), process, NO_RING + index).converting(clocks)) {
      return new EventCopy(SliceRange.everything(), writer, new Occurring(), part.definitions())
          .renumbering(part.firstProcess())
          .copy(from);
    }
  }

  private long kernel() throws IOException {
    long events = 0;
    for (KernelStream from :
        KernelMerge.each(recording, kernelEvents.values(), new Diagnostics())) {
      if (from.next()) {
        String prefix = number == 0 ? "kernel-cpu-" : "kernel-" + (number + 1) + "-cpu-";
        Path file = files.directory().resolve(prefix + from.cpu());
        try (CpuStream to =
            new CpuStream(file, files.uuid(), process(from.process()), from.cpu())) {
          events += copy(from, to);
        }
      }
    }
    return events;
  }

  /** Copies from the event on that the stream is at. */
  private long copy(KernelStream from, CpuStream to) throws IOException {
    long events = 0;
    long lost = 0;
    do {
      if (from.lost() > lost) {
        to.lose(from.lost() - lost);
        lost = from.lost();
      }
      byte[] bytes = from.bytes();
      int kind = part.firstKernelEvent() + from.kind();
      to.event(clocks.applyAsLong(from.clock()), kind, from.format(), bytes, 0, bytes.length);
      events++;
    } while (from.next());
    if (from.lost() > lost) {
      to.lose(from.lost() - lost);
    }
    return events;
  }
}
