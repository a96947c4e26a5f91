package dev.kymo.importers.target;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * A file or directory that is to be imported, with its first bytes. These are all that its format
 * is told from: a file may be larger than anybody would wait for, and unpack to even more.
 */
public final class ForeignFile {
  /** Enough to tell any format, packed as well as unpacked. */
  private static final int HEAD = 64 * 1024;

  private static final String GZIP = "\u001F\u008B";

  private final Path path;
  private final boolean directory;
  private final byte[] head;

  private ForeignFile(Path path, boolean directory, byte[] head) {
    this.path = path;
    this.directory = directory;
    this.head = head;
  }

  /** Reads the first bytes of a file. */
  public static ForeignFile of(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return new ForeignFile(path, true, new byte[0]);
    }
    try (InputStream in = Files.newInputStream(path)) {
      return new ForeignFile(path, false, in.readNBytes(HEAD));
    }
  }

  public Path path() {
    return path;
  }

  /** Its last name, for messages and as the recording's. */
  public String name() {
    return String.valueOf(path.getFileName());
  }

  public boolean isDirectory() {
    return directory;
  }

  /** Its first 64 KiB, or all if it is smaller; empty for a directory. */
  public byte[] head() {
    return head.clone();
  }

  /** Whether it begins with these characters, one byte each. */
  public boolean beginsWith(String magic) {
    return has(0, magic);
  }

  /** Whether these characters, one byte each, are at an offset. */
  public boolean has(int offset, String characters) {
    byte[] wanted = characters.getBytes(StandardCharsets.ISO_8859_1);
    if (offset + wanted.length > head.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (head[offset + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /** Its first bytes as text. */
  public String headText() {
    return new String(head, StandardCharsets.UTF_8);
  }

  /** The first 64 KiB of its text, which may be packed by gzip. */
  public String unpackedHeadText() {
    if (!beginsWith(GZIP)) {
      return headText();
    }
    byte[] plain = new byte[HEAD];
    int size = 0;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(head))) {
      int got = in.read(plain, 0, plain.length);
      while (got > 0) {
        size += got;
        got = in.read(plain, size, plain.length - size);
      }
    } catch (IOException e) {
      // the head is not all of it: what came out so far counts
    }
    return new String(plain, 0, size, StandardCharsets.UTF_8);
  }
}
