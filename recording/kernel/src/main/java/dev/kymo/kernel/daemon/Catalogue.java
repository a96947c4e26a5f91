package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.kernel.EventFolders;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The events of this kernel and their layouts, for clients that have not started any. */
final class Catalogue {
  private final Path root;
  private final EventFolders events;
  private final Map<String, Optional<KernelEventFormat>> known = new HashMap<>();

  Catalogue(Tracefs tracefs) {
    this.root = tracefs.root();
    this.events = new EventFolders(root);
  }

  /** How many processors the machine can have. */
  int processors() throws IOException {
    try (Stream<Path> folders = Files.list(root.resolve("per_cpu"))) {
      return folders
              .map(folder -> String.valueOf(folder.getFileName()))
              .filter(name -> name.matches("cpu\\d{1,5}"))
              .mapToInt(name -> Integer.parseInt(name.substring("cpu".length())))
              .max()
              .orElse(0)
          + 1;
    }
  }

  /**
   * Layouts of the events that the kernel has.
   *
   * @param names {@code subsystem:event} or {@code subsystem:*}
   */
  Map<String, KernelEventFormat> formats(Collection<String> names) throws KernelException {
    Map<String, KernelEventFormat> found = new LinkedHashMap<>();
    for (String name : names) {
      for (String event : events.expand(name)) {
        format(event).ifPresent(format -> found.put(event, format));
      }
    }
    return found;
  }

  private synchronized Optional<KernelEventFormat> format(String event) throws KernelException {
    Optional<KernelEventFormat> format = known.get(event);
    if (format == null) {
      format = events.format(event);
      if (format.isPresent()) { // otherwise a module may add it later
        known.put(event, format);
      }
    }
    return format;
  }
}
