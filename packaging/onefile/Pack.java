import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes kymo.jar: the classes that start it, and what it unpacks, which is in {@code all} if it is
 * the same for all machines, and else in a folder for each. Always the same of the same files.
 * Arguments: the jar, the folder of classes, a level of 1 to 9, and for each machine its name, =,
 * and the folder of the program.
 */
public class Pack {
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);
  private static final int IDENTITY = 16;

  public static void main(String[] arguments) throws Exception {
    TreeMap<String, Path> entries = new TreeMap<>();
    List<String> machines = List.of(arguments).subList(3, arguments.length);
    Map<String, Path> programs = new TreeMap<>();
    for (String machine : machines) {
      int sign = machine.indexOf('=');
      programs.put(machine.substring(0, sign), Path.of(machine.substring(sign + 1)));
    }
    for (var program : programs.entrySet()) {
      for (Path file : files(program.getValue())) {
        Path name = program.getValue().relativize(file);
        if (!name.startsWith("runtime")) {
          boolean same = isTheSame(name, programs.values());
          entries.put("kymo/" + (same ? "all" : program.getKey()) + "/" + name, file);
        }
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
        "Manifest-Version: 1.0\nMain-Class: Start\nEnable-Native-Access: ALL-UNNAMED\n"
            + "Kymo-Content: %s\nKymo-Machines: %s\n\n"
                .formatted(identity, String.join(" ", programs.keySet()));
    try (OutputStream file = Files.newOutputStream(Path.of(arguments[0]));
        ZipOutputStream to = new ZipOutputStream(file)) {
      to.setLevel(Integer.parseInt(arguments[2]));
      put("META-INF/MANIFEST.MF", manifest.getBytes(StandardCharsets.UTF_8), to);
      for (var entry : entries.entrySet()) {
        put(entry.getKey(), Files.readAllBytes(entry.getValue()), to);
      }
    }
  }

  private static boolean isTheSame(Path name, Collection<Path> programs) throws IOException {
    Path first = programs.iterator().next().resolve(name);
    for (Path program : programs) {
      Path file = program.resolve(name);
      if (!Files.exists(file) || !Files.exists(first) || Files.mismatch(first, file) >= 0) {
        return false;
      }
    }
    return true;
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
