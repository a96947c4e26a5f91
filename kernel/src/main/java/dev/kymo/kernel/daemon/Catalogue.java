package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Events of this kernel and their layouts, for clients that have not started any. */
final class Catalogue {
  private final Path root;
  private final Map<String, Optional<KernelEventFormat>> known = new HashMap<>();

  Catalogue(Tracefs tracefs) {
    this.root = tracefs.root();
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
   * Layouts of those that the kernel has.
   *
   * @param events {@code subsystem:event} or {@code subsystem:*}
   */
  Map<String, KernelEventFormat> formats(Collection<String> events) throws KernelException {
    Map<String, KernelEventFormat> found = new LinkedHashMap<>();
    for (String name : events) {
      for (String event : expand(name)) {
        format(event).ifPresent(format -> found.put(event, format));
      }
    }
    return found;
  }

  private List<String> expand(String name) {
    if (!name.endsWith(":*")) {
      return List.of(name);
    }
    String subsystem = name.substring(0, name.indexOf(':'));
    List<String> all = new ArrayList<>();
    try (Stream<Path> folders = Files.list(root.resolve("events").resolve(subsystem))) {
      folders
          .filter(folder -> Files.exists(folder.resolve("enable")))
          .forEach(folder -> all.add(subsystem + ":" + folder.getFileName()));
    } catch (IOException e) {
      return List.of();
    }
    all.sort(null);
    return all;
  }

  private synchronized Optional<KernelEventFormat> format(String event) throws KernelException {
    Optional<KernelEventFormat> format = known.get(event);
    if (format == null) {
      format = read(event);
      if (format.isPresent()) { // else a module may bring it later
        known.put(event, format);
      }
    }
    return format;
  }

  private Optional<KernelEventFormat> read(String event) throws KernelException {
    int colon = event.indexOf(':');
    String subsystem = event.substring(0, colon);
    Path folder = root.resolve("events").resolve(subsystem).resolve(event.substring(colon + 1));
    if (!Files.exists(folder.resolve("enable"))) {
      return Optional.empty();
    }
    try (var in = Files.newInputStream(folder.resolve("format"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Optional.of(KernelEventFormat.parse(subsystem, text));
    } catch (IOException | IllegalArgumentException e) {
      throw new KernelException(
          "the kernel's description of an event cannot be read: event=%s: %s".formatted(event, e),
          e);
    }
  }
}
