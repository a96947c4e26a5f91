package dev.kymo.exporters.otf2;

import dev.kymo.analysis.names.Categories;
import dev.kymo.exporters.otf2.library.Otf2Archive;
import dev.kymo.exporters.otf2.library.Otf2Events;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.Facts;
import dev.kymo.model.definitions.TrackKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes one archive. */
final class Otf2Trace {
  /** Attributes of events. */
  static final int DATA = 0;

  static final int FLAGS = 1;
  static final int OBJECT = 2;
  static final int BY = 3;

  private final ExportSource source;
  private final @Nullable Categories categories;
  private final List<ExportTrack> locations;
  private final Strings strings = new Strings();

  private final Numbers regions = new Numbers();
  private final Numbers metrics = new Numbers();
  private final long[] counts;
  private long last;
  private long events;

  Otf2Trace(ExportSource source, boolean byCpu, @Nullable Categories categories) {
    this.source = source;
    this.categories = categories;
    this.locations =
        source.tracks().stream().filter(t -> (t.kind() == TrackKind.CPU) == byCpu).toList();
    this.counts = new long[locations.size()];
    if (byCpu && locations.isEmpty()) {
      throw new UncheckedIOException(
          new IOException(
              "the recording does not know what ran on which processor; --kernel records it"));
    }
  }

  void write(Otf2Archive archive) {
    Messages messages = Messages.of(source, locations);
    for (int i = 0; i < counts.length; i++) {
      ExportTrack track = locations.get(i);
      counts[i] = archive.events(i, writer -> write(track, writer, messages));
      events += counts[i];
    }
    archive.describe(
        Facts.of(source).stream().map(Facts.Fact::toString).collect(Collectors.joining("\n")));
    archive.definitions(
        counts.length,
        definitions ->
            new Otf2Meaning(source, locations, strings, categories, definitions)
                .write(regions, metrics, counts, last));
  }

  private void write(ExportTrack track, Otf2Events writer, Messages messages) {
    LocationSink sink =
        new LocationSink(source, track, writer, messages, strings, regions, metrics);
    sink.lost(source.losses(track));
    source.walk(track, sink);
    sink.finish();
    last = Math.max(last, sink.last());
  }

  String summary() {
    return "%d calls and states, %d user events in %d events of %d locations"
        .formatted(source.exported().calls(), source.exported().events(), events, locations.size());
  }
}
