package dev.kymo.exporters.stacks;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.bytes.Json;
import dev.kymo.exporters.source.EndedCall;
import dev.kymo.exporters.source.EventData;
import dev.kymo.exporters.source.ExportSink;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.source.Facts;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Speedscope's own JSON: an evented profile for each track, in nanoseconds since the recording's
 * begin, or a sampled one. The program ignores members that it does not know: what is known of the
 * recording as a whole is in one called {@code kymo}.
 */
public final class SpeedscopeExport implements StackFormat {
  private static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

  private final String sampled;

  public SpeedscopeExport() {
    this(AUTOMATIC);
  }

  private SpeedscopeExport(String sampled) {
    this.sampled = sampled;
  }

  @Override
  public SpeedscopeExport of(String samples) {
    return new SpeedscopeExport(samples);
  }

  /** A frame as speedscope shows it. */
  record Frame(String name, String file, int line) {}

  @Override
  public String name() {
    return "speedscope";
  }

  @Override
  public String description() {
    return "calls or samples in their order, for speedscope";
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    Frames<Frame> frames = new Frames<>(key -> frame(source, key));
    Optional<Samples> samples = Samples.of(source, sampled);
    int profiles = 0;
    try (BytesOut out = BytesOut.to(to)) {
      out.put("{\"$schema\":").put(Json.quoted(SCHEMA));
      out.put(",\n\"exporter\":\"kymo\",\n\"name\":");
      out.put(Json.bytes(source.pass().recording().name())).put(",\n\"profiles\":[");
      for (ExportTrack track : source.tracks()) {
        String separator = profiles == 0 ? "\n" : ",\n";
        if (samples.isPresent()) {
          profiles +=
              new SampledProfile(out, frames).write(track, samples.get(), separator) ? 1 : 0;
        } else if (track.thread().counts().events() > 0) {
          profiles++;
          out.put(separator);
          profile(source, track, out, frames);
        }
      }
      out.put("\n],\n\"shared\":{\"frames\":[");
      frames(out, frames.all());
      out.put("\n]},\n\"kymo\":[\n");
      out.put(
          Facts.of(source).stream()
              .map(fact -> Json.quoted(fact.toString()))
              .collect(Collectors.joining(",\n")));
      out.put("\n]}\n");
    }
    String what =
        samples
            .map(Samples::says)
            .orElse("%d calls and states".formatted(source.exported().calls()));
    return "%s in %d profiles".formatted(what, profiles);
  }

  /** A method is called otherwise if it is a state: {@code key} is even for calls. */
  private static Frame frame(ExportSource source, int key) {
    TracedMethod method = source.method(key / 2);
    TrackKind kind = key % 2 == 0 ? TrackKind.CALLS : TrackKind.STATES;
    return new Frame(ExportWords.name(kind, method), method.source(), method.line());
  }

  private static void profile(
      ExportSource source, ExportTrack track, BytesOut out, Frames<Frame> frames) {
    out.put("{\"type\":\"evented\",\"name\":").put(Json.bytes(track.title()));
    out.put(",\"unit\":\"nanoseconds\",\"events\":[");
    Events events = new Events(out, frames, track.kind() == TrackKind.CALLS ? 0 : 1);
    source.walk(track, events);
    out.put("\n],\"startValue\":").number(Math.max(0, events.first));
    out.put(",\"endValue\":").number(events.last).put('}');
  }

  private static void frames(BytesOut out, List<Frame> frames) {
    for (int i = 0; i < frames.size(); i++) {
      Frame frame = frames.get(i);
      out.put(i == 0 ? "\n" : ",\n").put("{\"name\":").put(Json.bytes(frame.name));
      if (!frame.file.isEmpty()) {
        out.put(",\"file\":").put(Json.bytes(frame.file));
      }
      if (frame.line > 0) {
        out.put(",\"line\":").number(frame.line);
      }
      out.put('}');
    }
  }

  private static final class Events implements ExportSink {
    private final BytesOut out;
    private final Frames<Frame> frames;
    private final int odd;
    private long first = -1;
    private long last;

    Events(BytesOut out, Frames<Frame> frames, int odd) {
      this.out = out;
      this.frames = frames;
      this.odd = odd;
    }

    @Override
    public void begin(long time, int method, @Nullable EventData data) {
      put('O', method, time);
      first = first < 0 ? time : first;
    }

    @Override
    public void end(EndedCall call) {
      put('C', call.method(), call.end());
      last = call.end();
    }

    private void put(char type, int method, long time) {
      out.put(first < 0 && type == 'O' ? "\n" : ",\n");
      out.put("{\"type\":\"").put(type).put("\",\"frame\":");
      out.number(frames.of(2 * method + odd)).put(",\"at\":").number(time).put('}');
    }
  }
}
