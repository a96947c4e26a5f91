package dev.kymo.session;

import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that exists completely or not at all: it is written under another name and
 * moved at the end. Private to the user.
 */
public final class OutputFile implements AutoCloseable {
  private final Path path;
  private final Path unfinished;

  private OutputFile(Path path, Path unfinished) {
    this.path = path;
    this.unfinished = unfinished;
  }

  /**
   * Begins a directory or, without {@code directory}, an empty file.
   *
   * @param force replaces an existing file by a file, or a recording by a directory
   */
  public static OutputFile begin(Path path, boolean directory, boolean force) throws IOException {
    return directory
        ? begin(path, true, force, "recording", Recording::isRecording)
        : begin(path, false, force, "file", Files::isRegularFile);
  }

  /**
   * The same for directories that are not recordings.
   *
   * @param what they are
   * @param replaced tells them from others, which are left alone
   */
  public static OutputFile begin(
      Path path, boolean directory, boolean force, String what, Predicate<Path> replaced)
      throws IOException {
    if (Files.exists(path)) {
      if (!force) {
        throw new UsageException("output exists already: path=" + path + "; --force replaces it");
      }
      if (!replaced.test(path)) {
        throw new UsageException(
            "output exists and is not a %s, it is left alone: path=%s".formatted(what, path));
      }
    }
    Path beside =
        path.resolveSibling("." + path.getFileName() + "-" + ProcessHandle.current().pid());
    try {
      if (directory) {
        Files.createDirectory(beside, permissions("rwx------"));
      } else {
        Files.createFile(beside, permissions("rw-------"));
      }
    } catch (NoSuchFileException e) {
      throw new IOException("no such directory to write into: path=" + parent(path), e);
    } catch (AccessDeniedException e) {
      throw new IOException("directory is not writable: path=" + parent(path), e);
    }
    return new OutputFile(path, beside);
  }

  private static FileAttribute<?> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  private static @Nullable Path parent(Path path) {
    return path.toAbsolutePath().getParent();
  }

  /** Where to write until it is finished. */
  public Path unfinished() {
    return unfinished;
  }

  /** Gives the complete output its name. Returns its size in bytes. */
  public long finish() throws IOException {
    long bytes = size(unfinished);
    if (Files.isDirectory(path)) {
      Path old = unfinished.resolveSibling(unfinished.getFileName() + "-old");
      Files.move(path, old);
      Files.move(unfinished, path);
      delete(old);
    } else {
      Files.move(
          unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return bytes;
  }

  /** Removes what was not finished. */
  @Override
  public void close() throws IOException {
    if (Files.exists(unfinished)) {
      delete(unfinished);
    }
  }

  private static long size(Path path) throws IOException {
    long sum = 0;
    try (Stream<Path> all = Files.walk(path)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  /** Deletes a file, or a directory with its contents. */
  public static void delete(Path path) throws IOException {
    List<Path> innerFirst;
    try (Stream<Path> all = Files.walk(path)) {
      innerFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : innerFirst) {
      Files.delete(each);
    }
  }
}
