import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The first class of kymo.jar: unpacks it once, into the user's cache, and becomes the program that
 * lies there. It is compiled for Java 8, to be able to say that a Java is too old.
 */
public final class Start {
  private static final int OLDEST = 25;

  /** What is unpacked has this in front of its name, then "all" or a machine. */
  private static final String CONTENT = "kymo/";

  public static void main(String[] arguments) {
    List<String> files = openFiles(); // before anything here opens some
    String version = System.getProperty("java.specification.version");
    if (!version.matches("\\d+") || Integer.parseInt(version) < OLDEST) {
      fail(
          "Java 25 or later is needed to run it: version="
              + version
              + " path="
              + System.getProperty("java.home")
              + "; programs that are recorded may run on 17 or later");
    }
    try {
      Path home = unpacked(jar());
      List<String> command = command(home);
      command.addAll(Arrays.asList(arguments));
      Class.forName("Become")
          .getMethod("become", List.class, List.class)
          .invoke(null, command, files);
      fail("it cannot be run: path=" + home);
    } catch (ReflectiveOperationException | IOException | URISyntaxException e) {
      fail(String.valueOf(e.getMessage()));
    }
  }

  private static List<String> openFiles() {
    File folder = new File("/proc/self/fd");
    List<String> open = new ArrayList<String>();
    String[] numbers = folder.list();
    for (String number : numbers == null ? new String[0] : numbers) {
      if (new File(folder, number).exists()) { // that of the folder itself is closed again
        open.add(number);
      }
    }
    return open;
  }

  private static void fail(String why) {
    System.err.println("kymo: " + why);
    System.exit(1);
  }

  private static Path jar() throws URISyntaxException {
    return Paths.get(Start.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Where it is unpacked; the Java that runs this belongs to it, as {@code runtime}. */
  private static Path unpacked(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Attributes about = file.getManifest().getMainAttributes();
      String identity = about.getValue("Kymo-Content");
      String machines = about.getValue("Kymo-Machines");
      if (!Arrays.asList(machines.split(" ")).contains(machine())) {
        throw new IOException(
            "it is for other machines: machine=" + machine() + " made for=" + machines);
      }
      Path java = Paths.get(System.getProperty("java.home"));
      int place = (machine() + java).hashCode(); // a home may be that of several machines
      String name = "jar-" + identity + "-" + Integer.toHexString(place);
      Path cache = cache();
      Path home = cache.resolve(name);
      if (!Files.exists(home)) {
        Path fresh = Files.createTempDirectory(cache, "unpacking-");
        try {
          unpack(file, fresh);
          Files.createSymbolicLink(fresh.resolve("runtime"), java);
          Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
          remove(fresh); // another one was faster
        }
      }
      return home;
    }
  }

  private static Path cache() throws IOException {
    String given = System.getenv("XDG_CACHE_HOME");
    String home = System.getenv("HOME");
    Path base =
        given == null || given.isEmpty()
            ? Paths.get(home == null ? System.getProperty("user.home") : home, ".cache")
            : Paths.get(given);
    try {
      return Files.createDirectories(base.resolve("kymo"));
    } catch (IOException e) {
      throw new IOException(
          "it has to be unpacked, and there is no place: path="
              + base
              + "; set XDG_CACHE_HOME to a directory that can be written");
    }
  }

  /** As Kymo's packages call it. */
  private static String machine() {
    String name = System.getProperty("os.arch");
    return name.equals("amd64") ? "x64" : name.equals("aarch64") ? "arm64" : name;
  }

  private static void unpack(JarFile file, Path to) throws IOException {
    for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
      JarEntry entry = all.nextElement();
      String name = entry.getName();
      boolean ours =
          name.startsWith(CONTENT + "all/") || name.startsWith(CONTENT + machine() + "/");
      if (!ours || entry.isDirectory()) {
        continue;
      }
      Path path = to.resolve(name.substring(name.indexOf('/', CONTENT.length()) + 1)).normalize();
      if (!path.startsWith(to)) {
        throw new IOException("a name leads out of it: name=" + name);
      }
      Files.createDirectories(path.getParent());
      try (InputStream in = file.getInputStream(entry)) {
        Files.copy(in, path);
      }
      boolean program = path.getParent().equals(to) || path.toString().matches(".*(\\.sh|-init)");
      if (program) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes any) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The script that everybody uses; where there is no bash, what it starts, without its care. */
  private static List<String> command(Path home) {
    for (String folder : String.valueOf(System.getenv("PATH")).split(":")) {
      Path bash = Paths.get(folder, "bash");
      if (Files.isExecutable(bash)) {
        return new ArrayList<>(Arrays.asList(bash.toString(), home.resolve("kymo").toString()));
      }
    }
    return new ArrayList<>(
        Arrays.asList(
            home.resolve("runtime/bin/java").toString(),
            "-XX:+UseSerialGC",
            "-Xlog:disable",
            "-Djdk.util.jar.enableMultiRelease=false",
            "-Djava.library.path=" + home.resolve("native"),
            "-Djdk.console=java.base",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            home.resolve("lib") + "/*",
            "dev.kymo.cli.Main"));
  }
}
