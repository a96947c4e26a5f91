package dev.kymo.importers.ctf;

import dev.kymo.importers.ctf.metadata.MetadataFile;
import dev.kymo.importers.ctf.stream.CtfTrace;
import dev.kymo.importers.target.ForeignFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the traces in a directory: it is one, or there are some in it, as LTTng's sessions are. */
final class Directories {
  /** LTTng's are six deep: session, domain, uid, 1000, 64-bit, and chunks of archives. */
  private static final int DEEPEST = 8;

  private static final int MOST = 10_000;
  private static final Pattern TEXT =
      Pattern.compile("/\\*\\s*CTF\\b|\\b(trace|typealias|typedef|struct|clock|event)\\b[^;]*[{:]");
  private static final Pattern JSON = Pattern.compile("\\A\\x1E?\\s*\\{[^}]*\"(type|version)\"");
  private static final String OURS = "kymo_format_"; // also where the version is lost

  private final List<Path> found = new ArrayList<>();
  private int looked;

  private Directories() {}

  /** Traces that are not Kymo's own, in the order of their paths. */
  static List<Path> of(Path directory) throws IOException {
    Directories directories = new Directories();
    directories.look(directory, 0);
    directories.found.sort(null);
    return directories.found;
  }

  private void look(Path directory, int depth) throws IOException {
    Path metadata = directory.resolve(CtfTrace.METADATA);
    if (Files.isRegularFile(metadata)) {
      if (isForeign(metadata)) {
        found.add(directory);
      }
      return;
    }
    if (depth == DEEPEST) {
      return;
    }
    List<Path> inner = new ArrayList<>();
    try (DirectoryStream<Path> list = Files.newDirectoryStream(directory)) {
      for (Path path : list) {
        if (++looked > MOST) {
          return;
        }
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          inner.add(path);
        }
      }
    }
    for (Path path : inner) {
      look(path, depth + 1);
    }
  }

  private static boolean isForeign(Path metadata) throws IOException {
    byte[] head = ForeignFile.of(metadata).head();
    String text = new String(head, StandardCharsets.ISO_8859_1);
    if (text.contains(OURS)) {
      return false;
    }
    return MetadataFile.order(head) != null
        || TEXT.matcher(text).find()
        || JSON.matcher(text).find();
  }
}
