package dev.kymo.editing.slice;

import dev.kymo.analysis.filter.EventTest;
import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.NoticeCode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Metadata;
import dev.kymo.reader.Oddity;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import dev.kymo.reader.ThreadStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A part of a recording, which can be written as a smaller recording. Its events are those of the
 * range, as they were; what they do not tell is in a stream of its own for each process, named
 * {@code pN-begun}: enters, at the range's begin, of the calls that were running then.
 */
public final class RecordingSlice {
  private static final Pattern RING = Pattern.compile(".*-ring-(\\d{1,9})");
  private static final Pattern UUID_TEXT = Pattern.compile("\\buuid\\s*=\\s*\"[^\"]*\"");

  private final CallPass pass;
  private final SliceQuery query;
  private final SliceRange range;
  private final OverlappingCalls overlapping;
  private final @Nullable KeptEvents kept;
  private final Occurring occurring = new Occurring();
  private final UUID uuid = UUID.randomUUID();
  private long events;

  /**
   * What was written.
   *
   * @param events without definitions
   * @param threads that have any
   */
  public record Written(long events, int threads) {}

  private RecordingSlice(
      CallPass pass,
      SliceQuery query,
      SliceRange range,
      OverlappingCalls calls,
      @Nullable KeptEvents kept) {
    this.kept = kept;
    this.pass = pass;
    this.query = query;
    this.range = range;
    this.overlapping = calls;
  }

  /** Reads a recording and finds out what was going on when the slice begins. */
  public static RecordingSlice of(
      Recording recording, SliceQuery query, ProgressListener progress) {
    return of(recording, query, EventTest.ALL, progress);
  }

  /**
   * The same with some calls and events only. What was counted and not recorded call by call is
   * left out.
   *
   * @param test chooses calls and events
   */
  public static RecordingSlice of(
      Recording recording, SliceQuery query, EventTest test, ProgressListener progress) {
    CallPass pass = CallPass.open(recording);
    NanoClock clock = pass.nanoClock();
    long from = clock.ticks(query.from());
    long to = clock.ticks(query.to());
    OverlappingCalls calls = new OverlappingCalls(from, to);
    KeptEvents kept = null;
    if (test.isAll()) {
      pass.run(calls, query.threads(), progress);
    } else {
      kept = new KeptEvents(pass, test, calls, query.threads());
      kept.read(pass, progress);
    }
    SliceRange range = new SliceRange(from, to, pass.threads(), query.threads());
    return new RecordingSlice(pass, query, range, calls, kept);
  }

  /** Nanoseconds from the first to the last event of the whole recording. */
  public long wholeDuration() {
    return pass.nanoClock().nanos(pass.end());
  }

  /** Nanoseconds from 1970 to the begin of the whole recording. */
  public long wallBegin() {
    Clock clock = pass.recording().metadata().clock();
    return clock.wallOffset() + clock.nanos(pass.base());
  }

  /** Nanoseconds of the range, as far as there is anything in it. */
  public long duration() {
    return Math.min(query.to(), wholeDuration()) - query.from();
  }

  public long calls() {
    return overlapping.calls();
  }

  /** The definitions of the whole recording. */
  public RecordedDefinitions definitions() {
    return pass.definitions();
  }

  /** Whether the recording has a thread of those asked for. */
  public boolean hasThreads() {
    return !range.isEmpty();
  }

  /** Writes the slice into an empty directory; once. */
  public Written write(Path directory, ProgressListener progress) throws IOException {
    writeMetadata(directory);
    writeBegun(directory);
    copyEvents(directory, progress);
    if (kept == null) {
      new CountCopy(pass, range, occurring).write(directory, uuid);
    }
    keepSteps();
    pass.definitions()
        .places()
        .forEach((process, address, method) -> {
          int number = pass.definitions().methods().payload(method);
          occurring
              .methods(process)
              .set(number); // which events have which addresses is not looked at
        });
    copyDefinitions(directory);
    return new Written(events, occurring.threads());
  }

  /** The same except for the identity: the clock above all. */
  private void writeMetadata(Path directory) throws IOException {
    String text;
    try (FileChannel file = pass.recording().directory().read(Metadata.FILE)) {
      byte[] bytes = Channels.newInputStream(file).readAllBytes();
      text = new String(bytes, StandardCharsets.UTF_8);
    }
    String other = UUID_TEXT.matcher(text).replaceFirst("uuid = \"" + uuid + "\"");
    Files.writeString(directory.resolve(Metadata.FILE), other);
  }

  private void writeBegun(Path directory) throws IOException {
    List<StreamSource> files = pass.recording().threadStreams();
    Map<Integer, Integer> begun = new TreeMap<>();
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).begun() && range.from() <= pass.base()) {
        begun.put(pass.recording().threads(i, new Diagnostics()).process(), i);
      }
    }
    BegunStreams streams =
        new BegunStreams(overlapping, pass.definitions().methods(), occurring, range.from());
    events +=
        streams.write(
            directory,
            uuid,
            begun.keySet(),
            (process, to) -> begun.containsKey(process) ? copy(begun.get(process), to) : 0);
  }

  private long copy(int stream, PacketWriter to) throws IOException {
    ThreadStream from = pass.recording().threads(stream, new Diagnostics());
    KeptEvents.Reader choice = kept == null ? null : kept.of(stream);
    return new EventCopy(range, to, occurring, pass.definitions(), choice).copy(from);
  }

  private void copyEvents(Path directory, ProgressListener progress) throws IOException {
    List<StreamSource> files = pass.recording().threadStreams();
    long done = 0;
    for (int i = 0; i < files.size(); i++) {
      StreamSource file = files.get(i);
      if (!file.begun()) {
        int process = pass.recording().threads(i, new Diagnostics()).process();
        Path copy = directory.resolve(file.name());
        try (PacketWriter to = PacketWriter.threads(copy, uuid, process, ring(file, i))) {
          events += copy(i, to);
        }
      }
      done += file.size();
      progress.progress(done, pass.recording().size());
    }
  }

  private static int ring(StreamSource file, int index) {
    Matcher name = RING.matcher(file.name());
    return name.matches() ? Integer.parseInt(name.group(1)) : BegunStreams.NO_RING - 1 - index;
  }

  /** A method that was left out has no call, but it is to be known that it was. */
  private void keepSteps() {
    for (ModeStep step : pass.definitions().steps()) {
      if (step.time() <= range.to()) {
        int method = pass.definitions().methods().payload(step.method());
        occurring.methods(step.process()).set(method);
      }
    }
  }

  private void copyDefinitions(Path directory) throws IOException {
    boolean noticed = false;
    for (StreamSource file : pass.recording().definitionStreams()) {
      DefinitionCopy copy = new DefinitionCopy(pass.recording(), file, occurring, range.to());
      Path target = directory.resolve(file.name());
      int instance = file.names() ? 1 : 0;
      try (PacketWriter to = PacketWriter.definitions(target, uuid, copy.process(), instance)) {
        copy.copy(to);
        if (copy.process() == 0 && !noticed) {
          writeNotice(to);
          noticed = true;
        }
      }
    }
    if (!noticed) {
      Path file = directory.resolve("p0-definitions");
      try (PacketWriter to = PacketWriter.definitions(file, uuid, 0)) {
        writeNotice(to);
      }
    }
  }

  private void writeNotice(PacketWriter to) throws IOException {
    String text =
        "slice: recording=%s from=%d to=%d; calls that were running at its begin are shown from there on%s%s"
            .formatted(
                pass.recording().name(),
                query.from(),
                Math.min(query.to(), wholeDuration()),
                kept == null ? "" : "; a filter has chosen some of the calls and events",
                pass.recording().kernelStreams().isEmpty()
                    ? ""
                    : "; the kernel's own events are not in it, what follows from them is");
    to.definition(Math.max(to.clock(), range.from()), new Definition.Notice(0, text));
    // Of what could not be read nothing is here, and nobody could see that.
    for (String oddity : pass.oddities()) {
      boolean known = oddity.contains(Oddity.DAMAGED_SOURCE.what()); // its notice was copied
      if (!known) {
        to.definition(
            to.clock(), new Definition.Notice(0, NoticeCode.DAMAGED_SOURCE.text() + oddity));
      }
    }
  }
}
