package dev.kymo.exporters.stacks;

import dev.kymo.analysis.samples.SampleKind;
import dev.kymo.analysis.samples.SampleWeight;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.EventBatch;
import java.util.List;
import java.util.Optional;

/** The samples of one kind, which are exported in the place of calls. */
final class Samples {
  /** Deeper stacks are cut at their outer end. */
  private static final int MAX_FRAMES = 1 << 16;

  private final ExportSource source;
  private final String kind;
  private final String unit;
  private long count;
  private long unknown;

  /** Takes a sample: the methods of its stack from the inside out, and its weight. */
  @FunctionalInterface
  interface Sink {
    void sample(List<Integer> stack, long weight);
  }

  private Samples(ExportSource source, SampleKind kind) {
    this.source = source;
    this.kind = kind.name();
    this.unit = kind.units().size() == 1 ? kind.units().getFirst() : "";
  }

  /**
   * The samples to be exported; none if calls are to be.
   *
   * @param wanted kind, {@link StackFormat#CALLS}, or {@link StackFormat#AUTOMATIC}: of a recording
   *     that says more in samples than in calls the first kind
   * @throws UnanswerableException if there is no such kind
   */
  static Optional<Samples> of(ExportSource source, String wanted) {
    List<SampleKind> kinds = SampleKind.of(source.definitions().events());
    if (wanted.equals(StackFormat.CALLS)) {
      return Optional.empty();
    }
    if (wanted.equals(StackFormat.AUTOMATIC)) {
      List<Integer> calling =
          source.tracks().stream()
              .filter(track -> track.kind() == TrackKind.CALLS)
              .filter(track -> track.thread().counts().calls() > 0)
              .map(ExportTrack::process)
              .toList();
      return SampleKind.sayMore(source.definitions().events(), calling)
          ? Optional.of(new Samples(source, kinds.getFirst()))
          : Optional.empty();
    }
    return Optional.of(
        kinds.stream()
            .filter(kind -> kind.name().equals(wanted))
            .findFirst()
            .map(kind -> new Samples(source, kind))
            .orElseThrow(() ->
                new UnanswerableException(
                    "no such samples: samples=%s; the recording has %s"
                        .formatted(wanted, names(kinds)))));
  }

  private static String names(List<SampleKind> kinds) {
    return kinds.isEmpty()
        ? "none"
        : String.join(", ", kinds.stream().map(SampleKind::name).toList());
  }

  /** What weights are, empty if there are none. */
  String unit() {
    return unit;
  }

  void read(ExportTrack track, Sink sink) {
    source.events(
        track,
        (time, event, batch, word) -> {
          if (event.isSample() && event.definition().name().equals(kind)) {
            take(event.frames(batch, word, MAX_FRAMES), weight(event, batch, word), sink);
          }
        });
  }

  /** Reads them once more, without counting them. */
  void readAgain(ExportTrack track, Sink sink) {
    long counted = count;
    long left = unknown;
    read(track, sink);
    count = counted;
    unknown = left;
  }

  private long weight(TracedEvent event, EventBatch batch, int word) {
    SampleWeight weight = SampleWeight.of(event);
    return weight.unit().equals(unit) ? weight.of(event, batch, word) : 0;
  }

  private void take(List<Integer> stack, long weight, Sink sink) {
    count++;
    if (stack.isEmpty()) {
      unknown++;
    } else {
      sink.sample(stack, weight);
    }
  }

  /** How many there were. */
  String says() {
    return "%d samples of %s".formatted(count, kind)
        + (unknown == 0 ? "" : ", %d without a stack left out".formatted(unknown));
  }
}
