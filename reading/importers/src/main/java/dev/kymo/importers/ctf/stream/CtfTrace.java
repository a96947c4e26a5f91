package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.TraceClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A trace: its metadata and where its streams are. */
public final class CtfTrace {
  public static final String METADATA = "metadata";

  private final Path directory;
  private final TraceClass classes;
  private final TraceProgram program;

  /**
   * A trace in a directory.
   *
   * @param kinds of events of all traces, to which this trace's are added
   */
  public CtfTrace(Path directory, TraceClass classes, List<CtfEventKind> kinds) throws IOException {
    this.directory = directory;
    this.classes = classes;
    this.program = new TraceProgram(directory.resolve(METADATA), classes, kinds);
  }

  public Path directory() {
    return directory;
  }

  public TraceClass classes() {
    return classes;
  }

  /** A stream's file, and what its first packet says. */
  private record Part(Path path, String stream, long begin) {}

  /** Opens its streams. Files of one stream belong together: the tracer began a new one. */
  void open(List<CtfStream> streams) throws IOException {
    Map<String, List<Part>> parts = new TreeMap<>();
    for (Path path : files()) {
      Part part = part(path);
      parts.computeIfAbsent(part.stream, none -> new ArrayList<>()).add(part);
    }
    for (List<Part> of : parts.values()) {
      of.sort(Comparator.comparingLong(Part::begin));
      List<Path> paths = of.stream().map(Part::path).toList();
      streams.add(new CtfStream(this, paths, program, streams.size()));
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> list = Files.list(directory)) {
      List<Path> found = new ArrayList<>();
      for (Path path : list.sorted().toList()) {
        String name = String.valueOf(path.getFileName());
        boolean hidden = name.startsWith(".") || name.equals(METADATA);
        if (!hidden && Files.isRegularFile(path) && Files.size(path) > 0) {
          found.add(path);
        }
      }
      return found;
    }
  }

  private Part part(Path path) throws IOException {
    try (PacketReader reader = new PacketReader(path, program)) {
      reader.nextPacket();
      return new Part(path, reader.stream(), reader.cursor().clock);
    }
  }
}
