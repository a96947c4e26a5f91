package dev.kymo.events;

import java.util.List;

/**
 * Everything that a definition file says.
 *
 * @param file as the user named it
 * @param subsystems at least one, in the order of the file
 */
public record Definitions(String file, List<Subsystem> subsystems) {
  /** The file's name without folder and ending. */
  public String baseName() {
    String name = file.substring(file.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  public int eventCount() {
    return subsystems.stream().mapToInt(s -> s.events().size()).sum();
  }
}
