package dev.kymo.session.machine;

import dev.kymo.session.UsageException;
import dev.kymo.session.system.ProgramFile;
import dev.kymo.session.system.RawText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the machine's file system: files of this machine at the same places, through the
 * same symbolic links, and with them what they need to run.
 */
public final class InitialFiles {
  private static final Path ROOT = Path.of("/");
  private static final int PERMISSIONS = 07777;
  private static final int EXECUTABLE = 0755;
  private static final int READABLE = 0644;
  private static final int FOR_ALL = 01777;
  private static final int MOST_LINKS = 40;
  private static final String ENV = "env";

  /** The machine's kernel has its own there. */
  private static final Set<String> KERNEL = Set.of("dev", "proc", "sys");

  /** What C libraries read, and links to directories that programs name. */
  private static final List<String> USUAL =
      List.of(
          "/bin",
          "/sbin",
          "/lib",
          "/lib64",
          "/etc/ld.so.cache",
          "/etc/passwd",
          "/etc/group",
          "/etc/nsswitch.conf",
          "/etc/localtime");

  private final Map<String, String> environment;
  private final Libraries libraries = new Libraries();

  /** By path: all are below directories that come before them, and none is below a link. */
  private final Map<Path, Kind> entries = new LinkedHashMap<>();

  /** Those whose contents and needs are there, too. */
  private final Set<Path> complete = new HashSet<>();

  private final Map<Path, byte[]> made = new LinkedHashMap<>();
  private long bytes;

  private enum Kind {
    DIRECTORY,
    LINK,
    FILE
  }

  /** Files for a program that gets this environment. */
  InitialFiles(Map<String, String> environment) throws IOException {
    this.environment = environment;
    for (String each : USUAL) {
      Path path = Path.of(each);
      if (Files.isSymbolicLink(path) || Files.isRegularFile(path)) {
        walk(path, 0);
      }
    }
  }

  /** Adds a directory, empty, with those that it is in. */
  void addDirectory(Path directory) throws IOException {
    walk(directory.toAbsolutePath(), 0);
  }

  /**
   * Adds a file and what it needs to run: libraries, and interpreters if it is a script; or a
   * directory with all that is in it, except for what is in directories that links lead to.
   *
   * @throws UsageException if there is no such file
   */
  void add(Path given) throws IOException, InterruptedException {
    Path start = given.toAbsolutePath();
    if (!Files.exists(start)) {
      throw new UsageException("no such file: path=" + given);
    }
    Deque<Path> waiting = new ArrayDeque<>(List.of(start));
    while (!waiting.isEmpty()) {
      Path path = waiting.remove();
      Path real = walk(path, 0);
      boolean directory = real != null && Files.isDirectory(real);
      boolean linked = directory && !path.equals(real) && !path.equals(start);
      if (real == null || linked || !complete.add(real)) {
        continue;
      }
      if (directory) {
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(real)) {
          inside.forEach(waiting::add);
        }
      } else {
        waiting.addAll(libraries.of(real));
        addInterpreter(real, waiting);
      }
    }
  }

  private void addInterpreter(Path script, Deque<Path> waiting) throws IOException {
    String[] words = Files.isExecutable(script) ? ProgramFile.interpreter(script) : null;
    if (words == null) {
      return;
    }
    try {
      Path interpreter = RawText.path(words[0]);
      if (Files.isRegularFile(interpreter)) {
        waiting.add(interpreter.toAbsolutePath());
        if (words.length > 1 && interpreter.endsWith(ENV)) {
          waiting.add(ProgramFile.find(words[1], environment).path().toAbsolutePath());
        }
      }
    } catch (UsageException | InvalidPathException e) {
      // env has options, or what comes next is no name: the system will not find it either
    }
  }

  /**
   * Adds what is on the way to a path, and what is there. Links are followed.
   *
   * @return the path without links; null if there is nothing, or something that cannot be copied,
   *     or that the machine has itself
   */
  private @Nullable Path walk(Path path, int links) throws IOException {
    Path at = ROOT;
    for (int i = 0; i < path.getNameCount(); i++) {
      String name = path.getName(i).toString();
      if (name.equals("..")) {
        at = at.getParent() == null ? ROOT : at.getParent();
      } else if (!name.equals(".")) {
        at = at.resolve(path.getName(i));
      }
      if (at.getNameCount() > 1 && KERNEL.contains(at.getName(0).toString())) {
        return null;
      }
      if (Files.isSymbolicLink(at)) {
        entries.putIfAbsent(at, Kind.LINK);
        Path target = at.resolveSibling(Files.readSymbolicLink(at));
        Path rest =
            i + 1 < path.getNameCount()
                ? target.resolve(path.subpath(i + 1, path.getNameCount()))
                : target;
        return links == MOST_LINKS ? null : walk(rest, links + 1);
      }
      if (!at.equals(ROOT) && !enter(at)) {
        return null;
      }
    }
    return at;
  }

  private boolean enter(Path path) throws IOException {
    boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    if (!directory && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (entries.putIfAbsent(path, directory ? Kind.DIRECTORY : Kind.FILE) == null && !directory) {
      bytes += Files.size(path);
    }
    return true;
  }

  /** Adds a file that this machine does not have; the machine's first program is {@code /init}. */
  void make(String path, byte[] content) {
    made.put(Path.of(path), content);
    bytes += content.length;
  }

  /** About how many bytes they are. */
  long bytes() {
    return bytes;
  }

  void write(Path archive) throws IOException {
    try (CpioArchive to = new CpioArchive(archive)) {
      for (String name : List.of("dev", "proc", "sys")) {
        to.add(RawText.encode(name), CpioArchive.DIRECTORY | EXECUTABLE, new byte[0]);
      }
      to.add(RawText.encode("tmp"), CpioArchive.DIRECTORY | FOR_ALL, new byte[0]);
      to.addDevice(RawText.encode("dev/console"), 0600, 5, 1); // the kernel opens it for init
      for (Map.Entry<Path, byte[]> each : made.entrySet()) {
        int mode = each.getKey().endsWith("init") ? EXECUTABLE : READABLE;
        to.add(name(each.getKey()), CpioArchive.REGULAR | mode, each.getValue());
      }
      for (Map.Entry<Path, Kind> each : entries.entrySet()) {
        if (!made.containsKey(each.getKey())) {
          write(to, each.getKey(), each.getValue());
        }
      }
    }
  }

  private static void write(CpioArchive to, Path path, Kind kind) throws IOException {
    byte[] name = name(path);
    switch (kind) {
      case LINK -> {
        Path target = Files.readSymbolicLink(path);
        byte[] inside = name(ROOT.resolve(target));
        to.add(name, CpioArchive.LINK | 0777, target.isAbsolute() ? absolute(inside) : inside);
      }
      case DIRECTORY -> {
        boolean ours = List.of("/dev", "/proc", "/sys", "/tmp").contains(path.toString());
        if (!ours) {
          to.add(name, CpioArchive.DIRECTORY | permissions(path), new byte[0]);
        }
      }
      case FILE -> to.addFile(name, permissions(path), path);
      default -> throw new IllegalStateException(kind.toString());
    }
  }

  private static int permissions(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & PERMISSIONS;
  }

  /** The bytes of an absolute path without the first slash. As text it loses what is no UTF-8. */
  private static byte[] name(Path path) {
    String uri = path.toUri().getRawPath();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(uri.length());
    int end = uri.endsWith("/") ? uri.length() - 1 : uri.length(); // directories have one
    for (int i = 1; i < end; i++) {
      if (uri.charAt(i) == '%') {
        bytes.write(HexFormat.fromHexDigits(uri, i + 1, i + 3));
        i += 2;
      } else {
        bytes.write(uri.charAt(i));
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] absolute(byte[] name) {
    byte[] bytes = new byte[name.length + 1];
    bytes[0] = '/';
    System.arraycopy(name, 0, bytes, 1, name.length);
    return bytes;
  }
}
