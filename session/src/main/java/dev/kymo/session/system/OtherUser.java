package dev.kymo.session.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A check whether a process, perhaps of another user, can read the files that recording needs. */
public final class OtherUser {
  private OtherUser() {}

  /**
   * Why a process cannot be recorded from here; null if no reason is known.
   *
   * @param files that it must read
   */
  public static @Nullable String obstacle(long pid, Path... files) {
    Path process = Path.of("/proc", Long.toString(pid));
    String owner = owner(process);
    String self = owner(Path.of("/proc", Long.toString(ProcessHandle.current().pid())));
    if (owner.isEmpty()) {
      return "there is no such process";
    }
    if (!owner.equals(self) && !self.equals("root")) {
      return "it is another user's, record as that user or as root: user=" + owner;
    }
    for (Path file : files) {
      Path there = process.resolve("root").resolve(Path.of("/").relativize(file.toAbsolutePath()));
      if (Files.isReadable(process.resolve("root")) && !isSame(there, file)) {
        return "it has other files, such as in a container; run kymo there, or give it this"
            + " directory: missing="
            + file;
      }
      Path closed = owner.equals(self) ? null : closed(file);
      if (closed != null) {
        return "its user cannot read what recording needs: user=" + owner + " path=" + closed;
      }
    }
    return null;
  }

  /**
   * The first of a file's folders, or the file, that others cannot read; null if they can read all.
   */
  public static @Nullable Path closed(Path file) {
    Path part = Path.of("/");
    try {
      for (Path name : file.toRealPath()) {
        part = part.resolve(name);
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(part);
        boolean open =
            allowed.contains(
                Files.isDirectory(part)
                    ? PosixFilePermission.OTHERS_EXECUTE
                    : PosixFilePermission.OTHERS_READ);
        if (!open) {
          return part;
        }
      }
      return null;
    } catch (IOException | UnsupportedOperationException e) {
      return null; // a file system without such permissions
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      return false;
    }
  }

  private static String owner(Path process) {
    try {
      return Files.getOwner(process, LinkOption.NOFOLLOW_LINKS).getName();
    } catch (IOException e) {
      return "";
    }
  }
}
