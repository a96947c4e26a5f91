package dev.kymo.e2e.kit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The addresses at which processes take connections. */
public final class Listening {
  private static final String LISTENS = "0A";

  private Listening() {}

  /** Those of a process, as the kernel writes them: hexadecimal, with the port after a colon. */
  public static Set<String> addresses(long pid) {
    Set<String> found = new TreeSet<>();
    Path process = Path.of("/proc", Long.toString(pid));
    try {
      Set<String> sockets = sockets(process.resolve("fd"));
      for (String table : new String[] {"tcp", "tcp6"}) {
        for (String line : Files.readAllLines(process.resolve("net").resolve(table))) {
          String[] words = line.strip().split("\\s+");
          if (words[3].equals(LISTENS) && sockets.contains("socket:[" + words[9] + "]")) {
            found.add(words[1]);
          }
        }
      }
    } catch (IOException e) {
      // it has ended
    }
    return found;
  }

  private static Set<String> sockets(Path descriptors) throws IOException {
    Set<String> found = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path each : all) {
        try {
          found.add(Files.readSymbolicLink(each).toString());
        } catch (IOException e) {
          // it was closed
        }
      }
    }
    return found;
  }
}
