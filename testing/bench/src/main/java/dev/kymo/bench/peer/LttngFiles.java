package dev.kymo.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What programs with LTTng's library leave in shared memory: closed, this removes what is new. */
final class LttngFiles implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String NAMES = "lttng-ust-wait-";

  private final Set<Path> before = now();

  private static Set<Path> now() {
    try (Stream<Path> all = Files.list(MEMORY)) {
      return all.filter(file -> String.valueOf(file.getFileName()).startsWith(NAMES))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      return Set.of(); // nobody's files can be seen
    }
  }

  @Override
  public void close() throws IOException {
    Set<Path> made = new HashSet<>(now());
    made.removeAll(before);
    for (Path file : made) {
      Files.deleteIfExists(file);
    }
  }
}
