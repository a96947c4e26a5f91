package dev.kymo.foreign.ctf;

import dev.kymo.foreign.ctf.json.JsonMetadata;
import dev.kymo.foreign.ctf.metadata.MetadataFile;
import dev.kymo.foreign.ctf.stream.CtfMerger;
import dev.kymo.foreign.ctf.stream.CtfTrace;
import dev.kymo.foreign.ctf.stream.EventKind;
import dev.kymo.foreign.ctf.tsdl.Tsdl;
import dev.kymo.foreign.ctf.type.TraceClass;
import dev.kymo.foreign.target.ForeignException;
import dev.kymo.foreign.target.ForeignFile;
import dev.kymo.foreign.target.ForeignFormat;
import dev.kymo.foreign.target.Import;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Directories with traces of LTTng, barectf, perf and other tracers that write CTF. */
public final class CtfFormat implements ForeignFormat {
  /** The format. */
  public CtfFormat() {}

  @Override
  public String name() {
    return "ctf";
  }

  @Override
  public String title() {
    return "CTF 1.8 or CTF 2";
  }

  @Override
  public boolean recognises(ForeignFile file) throws IOException {
    return file.isDirectory() && !Directories.of(file.path()).isEmpty();
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    List<EventKind> kinds = new ArrayList<>();
    List<CtfTrace> traces = new ArrayList<>();
    for (Path directory : Directories.of(file.path())) {
      traces.add(new CtfTrace(directory, classes(directory), kinds));
    }
    if (traces.isEmpty()) {
      throw new ForeignException("no metadata of a CTF trace", file.path(), 0, "");
    }
    try (CtfMerger events = new CtfMerger(traces)) {
      new CtfImport(file, traces, kinds, events).convert(to);
    }
  }

  static TraceClass classes(Path directory) throws IOException {
    MetadataFile metadata = MetadataFile.read(directory.resolve(CtfTrace.METADATA));
    return JsonMetadata.is(metadata) ? JsonMetadata.read(metadata) : Tsdl.read(metadata);
  }
}
