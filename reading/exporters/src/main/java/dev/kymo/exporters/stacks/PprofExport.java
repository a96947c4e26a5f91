package dev.kymo.exporters.stacks;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * The profile format of pprof, compressed: a sample for each stack of each thread, with its number
 * of calls and its own time in nanoseconds, or its samples and what they weigh. The thread is a
 * label.
 */
public final class PprofExport implements StackFormat {
  private final String sampled;

  public PprofExport() {
    this(AUTOMATIC);
  }

  private PprofExport(String sampled) {
    this.sampled = sampled;
  }

  @Override
  public PprofExport of(String samples) {
    return new PprofExport(samples);
  }

  @Override
  public String name() {
    return "pprof";
  }

  @Override
  public String description() {
    return "calls and own time in ns, or samples, by stack and thread, for pprof";
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    try (BytesOut out = new BytesOut(new GZIPOutputStream(Files.newOutputStream(to)))) {
      PprofProfile profile = new PprofProfile(source, out);
      Optional<Samples> samples = Samples.of(source, sampled);
      if (samples.isPresent()) {
        return samples(source, samples.get(), profile);
      }
      profile.head();
      for (ExportTrack track : StackTree.tracks(source)) {
        StackTree tree = new StackTree(source, profile::location);
        source.walk(track, tree);
        profile.samples(track, tree);
      }
      profile.end();
      return "%d calls in %d samples".formatted(source.exported().calls(), profile.samples());
    }
  }

  private static String samples(ExportSource source, Samples samples, PprofProfile profile) {
    profile.head(samples.unit());
    for (ExportTrack track : source.tracks()) {
      StackTree tree = new StackTree(source, profile::location);
      samples.read(track, tree::sample);
      profile.samples(track, tree);
    }
    profile.end();
    return "%d stacks, %s".formatted(profile.samples(), samples.says());
  }
}
