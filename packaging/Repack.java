import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes jars anew: in a fixed order with a fixed time, without what other systems need, and not
 * compressed, because the package is, and does it better as a whole.
 */
public class Repack {
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);
  private static final String OTHERS =
      "(aix|darwin|freebsd|win)/.*|linux/.*|org/jline/nativ/.*/.*|META-INF/maven/.*";

  public static void main(String[] jars) throws IOException {
    for (String jar : jars) {
      repack(Path.of(jar));
    }
  }

  private static void repack(Path jar) throws IOException {
    Path fresh = jar.resolveSibling(jar.getFileName() + ".new");
    try (ZipFile from = new ZipFile(jar.toFile());
        OutputStream file = Files.newOutputStream(fresh);
        ZipOutputStream to = new ZipOutputStream(file)) {
      TreeMap<String, ZipEntry> entries = new TreeMap<>();
      from.stream()
          .filter(entry -> !entry.isDirectory() && !entry.getName().matches(OTHERS))
          .forEach(entry -> entries.put(entry.getName(), entry));
      ZipEntry manifest = entries.remove("META-INF/MANIFEST.MF"); // comes first
      if (manifest != null) {
        copy(from, manifest, to);
      }
      for (ZipEntry entry : entries.values()) {
        copy(from, entry, to);
      }
    }
    Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void copy(ZipFile from, ZipEntry entry, ZipOutputStream to) throws IOException {
    byte[] bytes = from.getInputStream(entry).readAllBytes();
    CRC32 sum = new CRC32();
    sum.update(bytes);
    ZipEntry copy = new ZipEntry(entry.getName());
    copy.setMethod(ZipEntry.STORED);
    copy.setSize(bytes.length);
    copy.setCrc(sum.getValue());
    copy.setTimeLocal(TIME);
    to.putNextEntry(copy);
    to.write(bytes);
    to.closeEntry();
  }
}
