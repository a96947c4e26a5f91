import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes kymo.jar: the classes that start it, and what it unpacks. Always the same of the same
 * files. Arguments: the jar, the folder of classes, the folder of the program, a level of 1 to 9.
 */
public class Pack {
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);
  private static final int IDENTITY = 16;

  public static void main(String[] arguments) throws Exception {
    TreeMap<String, Path> entries = new TreeMap<>();
    Path program = Path.of(arguments[2]);
    for (Path file : files(program)) {
      String name = program.relativize(file).toString();
      if (!name.startsWith("runtime/")) {
        entries.put("kymo/" + name, file);
      }
    }
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (var entry : entries.entrySet()) {
      digest.update((entry.getKey() + "\0").getBytes(StandardCharsets.UTF_8));
      digest.update(Files.readAllBytes(entry.getValue()));
    }
    String identity = HexFormat.of().formatHex(digest.digest()).substring(0, IDENTITY);
    for (Path file : files(Path.of(arguments[1]))) {
      entries.put(file.getFileName().toString(), file);
    }
    String manifest =
        "Manifest-Version: 1.0\nMain-Class: Start\nEnable-Native-Access: ALL-UNNAMED\nKymo-Content: "
            + identity
            + "\n\n";
    try (OutputStream file = Files.newOutputStream(Path.of(arguments[0]));
        ZipOutputStream to = new ZipOutputStream(file)) {
      to.setLevel(Integer.parseInt(arguments[3]));
      put("META-INF/MANIFEST.MF", manifest.getBytes(StandardCharsets.UTF_8), to);
      for (var entry : entries.entrySet()) {
        put(entry.getKey(), Files.readAllBytes(entry.getValue()), to);
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static void put(String name, byte[] bytes, ZipOutputStream to) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    to.putNextEntry(entry);
    to.write(bytes);
    to.closeEntry();
  }
}
