package dev.kymo.recorder.budget;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A file in the user's cache directory that keeps the findings about one program. The number of
 * files is limited: two programs with the same place overwrite each other's findings. A file that
 * is truncated, damaged, another program's or another user's counts as missing.
 *
 * <pre>
 *   u32  magic, with the layout's version
 *   u32  checksum (CRC-32) of all that follows
 *   UTF  program, for people
 *   UTF key, which must be the same
 *        the findings </pre>
 */
public final class MemoryFile {
  /** Larger ones are not read. */
  public static final int LARGEST = 1 << 20;

  private static final int MAGIC = 0x4B4D0001;
  private static final int HEAD = 2 * Integer.BYTES;
  private static final int PLACES = 1 << 10;

  /** Room for the bytes that a text takes; longer keys are cut. */
  private static final int LONGEST_KEY = 20_000;

  /** A writer that has not finished by then never will. */
  private static final long LONGEST_WRITE_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private static final int WRITABLE_BY_OTHERS = 022;
  private static final FileAttribute<?> PRIVATE_DIRECTORY = permissions("rwx------");
  private static final FileAttribute<?> PRIVATE_FILE = permissions("rw-------");

  private final String program;
  private final String key;
  private final byte[] found;

  /**
   * A memory; its texts are cut where they would be too long.
   *
   * @param program main class or jar
   * @param key what decides whether a program is the same
   * @param found the findings, as the agent writes them
   */
  public MemoryFile(String program, String key, byte[] found) {
    this.program = cut(program);
    this.key = cut(key);
    this.found = found;
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(LONGEST_KEY, text.length()));
  }

  /** Main class or jar, for people. */
  public String program() {
    return program;
  }

  public boolean isOf(String programsKey) {
    return key.equals(cut(programsKey));
  }

  public byte[] found() {
    return found;
  }

  private static FileAttribute<?> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  /** Where a user's memories are; null if the user has no home. */
  public static @Nullable Path directory(Map<String, String> environment) {
    String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
    if (cache.startsWith("/")) {
      return Path.of(cache, "kymo", "memory");
    }
    String home = environment.getOrDefault("HOME", "");
    return home.startsWith("/") ? Path.of(home, ".cache", "kymo", "memory") : null;
  }

  public static Path place(Path directory, String key) {
    return directory.resolve(Integer.toString(Math.floorMod(cut(key).hashCode(), PLACES)));
  }

  /** The contents of a file; null if there is no file, or if it cannot be trusted. */
  public static @Nullable MemoryFile read(Path file) {
    try {
      byte[] bytes = bytes(file);
      if (bytes.length < HEAD) {
        return null;
      }
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      if (in.readInt() != MAGIC || in.readInt() != checksum(bytes)) {
        return null;
      }
      return new MemoryFile(in.readUTF(), in.readUTF(), in.readAllBytes());
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    Path directory = file.getParent();
    if (directory == null || !isPrivate(directory) || !isOwn(file)) {
      return new byte[0];
    }
    Set<OpenOption> how = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (SeekableByteChannel channel = Files.newByteChannel(file, how)) {
      if (channel.size() > LARGEST) {
        return new byte[0];
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) channel.size());
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // the rest
      }
      return buffer.hasRemaining() ? new byte[0] : buffer.array();
    }
  }

  /** Writes this memory, replacing the previous file. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory, PRIVATE_DIRECTORY);
    if (!isPrivate(directory)) {
      throw new IOException("not a private directory of this user: path=" + directory);
    }
    Path file = place(directory, key);
    Path next = directory.resolve(file.getFileName() + ".new");
    removeAbandoned(next);
    Set<OpenOption> how = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try (SeekableByteChannel channel = Files.newByteChannel(next, how, PRIVATE_FILE)) {
      ByteBuffer bytes = ByteBuffer.wrap(bytes());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (FileAlreadyExistsException e) {
      return; // another run of the program is ending: one of them is enough
    } catch (IOException e) {
      Files.deleteIfExists(next);
      throw e;
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Removes the memories of some programs, and files that cannot be trusted.
   *
   * @return the programs' names
   */
  public static List<String> forget(Path directory, Predicate<String> unwanted) throws IOException {
    List<String> forgotten = new ArrayList<>();
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return forgotten;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        MemoryFile memory = read(file);
        if (memory == null || unwanted.test(memory.program)) {
          Files.delete(file);
          forgotten.add(memory == null ? "a damaged memory" : memory.program);
        }
      }
    }
    return forgotten;
  }

  private byte[] bytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(MAGIC);
    out.writeInt(0);
    out.writeUTF(program);
    out.writeUTF(key);
    out.write(found);
    byte[] all = bytes.toByteArray();
    ByteBuffer.wrap(all).putInt(Integer.BYTES, checksum(all));
    return all;
  }

  private static int checksum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes, HEAD, bytes.length - HEAD);
    return (int) sum.getValue();
  }

  private static void removeAbandoned(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      FileTime begun = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
      if (System.currentTimeMillis() - begun.toMillis() > LONGEST_WRITE_MILLIS) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static boolean isPrivate(Path directory) throws IOException {
    int mode = (Integer) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && isUsers(directory)
        && (mode & WRITABLE_BY_OTHERS) == 0;
  }

  private static boolean isOwn(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isUsers(file);
  }

  /** Whether it belongs to the user that this process acts as. */
  private static boolean isUsers(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
        .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
  }
}
