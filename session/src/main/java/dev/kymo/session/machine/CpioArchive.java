package dev.kymo.session.machine;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Writes an archive that the kernel unpacks into its first file system (Linux,
 * Documentation/driver-api/early-userspace/buffer-format.rst): "newc" entries, each a header of 14
 * numbers in hexadecimal, a name and bytes, both filled up to four bytes.
 */
final class CpioArchive implements AutoCloseable {
  static final int DIRECTORY = 0040000;
  static final int REGULAR = 0100000;
  static final int LINK = 0120000;
  static final int CHARACTERS = 0020000;

  /** The header has 32 bits for it. */
  private static final long LARGEST = 0xFFFF_FFFFL;

  private static final int HEADER = 110;
  private static final String LAST = "TRAILER!!!";

  private final OutputStream out;
  private int number;

  CpioArchive(Path file) throws IOException {
    out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
  }

  /**
   * Adds an entry whose bytes are in memory: those of a file, a link's target, or none.
   *
   * @param name without the first slash
   * @param mode one of the kinds above, and permissions
   */
  void add(byte[] name, int mode, byte[] bytes) throws IOException {
    begin(name, mode, bytes.length, 0, 0, 0);
    out.write(bytes);
    fill(bytes.length);
  }

  /**
   * Adds a copy of a file.
   *
   * @throws IOException also if its size changes meanwhile
   */
  void addFile(byte[] name, int permissions, Path file) throws IOException {
    long size = Files.size(file);
    if (size > LARGEST) {
      throw new IOException("file is too large for the machine: path=" + file);
    }
    long modified = Files.getLastModifiedTime(file).to(TimeUnit.SECONDS);
    begin(name, REGULAR | permissions, size, modified & LARGEST, 0, 0);
    long copied = Files.copy(file, out);
    if (copied != size) {
      throw new IOException("file changes while it is copied: path=" + file);
    }
    fill(size);
  }

  void addDevice(byte[] name, int permissions, int major, int minor) throws IOException {
    begin(name, CHARACTERS | permissions, 0, 0, major, minor);
  }

  private void begin(byte[] name, int mode, long size, long modified, int major, int minor)
      throws IOException {
    int inode = ++number;
    String header =
        "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X"
            .formatted(
                inode, mode, 0, 0, 1, modified, size, 0, 0, major, minor, name.length + 1, 0);
    out.write(header.getBytes(StandardCharsets.US_ASCII));
    out.write(name);
    out.write(0);
    fill(HEADER + name.length + 1L);
  }

  private void fill(long length) throws IOException {
    out.write(new byte[(int) (-length & 3)]);
  }

  @Override
  public void close() throws IOException {
    try (out) {
      add(LAST.getBytes(StandardCharsets.US_ASCII), 0, new byte[0]);
    }
  }
}
