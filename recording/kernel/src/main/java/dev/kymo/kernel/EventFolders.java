package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The events of a kernel, as the folders of tracefs or of an instance show them. */
public final class EventFolders {
  private final Path events;

  /** The folders of tracefs, or of an instance in it. */
  public EventFolders(Path root) {
    this.events = root.resolve("events");
  }

  /**
   * The events that a name stands for.
   *
   * @param name {@code subsystem:event}, or {@code subsystem:*} for all of them
   */
  public List<String> expand(String name) {
    if (!name.endsWith(":*")) {
      return List.of(name);
    }
    String subsystem = name.substring(0, name.indexOf(':'));
    try (Stream<Path> folders = Files.list(events.resolve(subsystem))) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("enable")))
          .map(folder -> subsystem + ":" + folder.getFileName())
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * An event's layout; empty if this kernel has no event of this name.
   *
   * @param event {@code subsystem:event}
   */
  public Optional<KernelEventFormat> format(String event) throws KernelException {
    Path folder = folder(event);
    if (!Files.exists(folder.resolve("enable"))) {
      return Optional.empty();
    }
    try {
      String subsystem = event.substring(0, event.indexOf(':'));
      return Optional.of(
          KernelEventFormat.parse(subsystem, Tracefs.read(folder.resolve("format"))));
    } catch (IOException | IllegalArgumentException e) {
      throw new KernelException(
          "the kernel's description of an event cannot be read: event=%s: %s".formatted(event, e),
          e);
    }
  }

  /** The file that switches an event. */
  Path folder(String event) {
    int colon = event.indexOf(':');
    return events.resolve(event.substring(0, colon)).resolve(event.substring(colon + 1));
  }
}
