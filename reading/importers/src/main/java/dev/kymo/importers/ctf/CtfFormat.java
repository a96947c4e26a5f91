package dev.kymo.importers.ctf;

import dev.kymo.importers.ctf.json.JsonMetadata;
import dev.kymo.importers.ctf.metadata.MetadataFile;
import dev.kymo.importers.ctf.stream.CtfEventKind;
import dev.kymo.importers.ctf.stream.CtfMerger;
import dev.kymo.importers.ctf.stream.CtfTrace;
import dev.kymo.importers.ctf.tsdl.Tsdl;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Directories with traces of LTTng, barectf, perf and other tracers that write CTF. */
public final class CtfFormat implements ForeignFormat {
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
    List<CtfEventKind> kinds = new ArrayList<>();
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
