package dev.kymo.exporters.table;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Texts that belong to rows; they wait in a file until the rows are sorted. */
public final class Texts implements Closeable {
  /** Stands for an empty text. */
  public static final long NONE = -1;

  private static final int BUFFER = 1 << 16;

  private final Path file;
  private @Nullable DataOutputStream out;
  private @Nullable RandomAccessFile in;
  private long size;

  /** None yet; the file is made when there is one. */
  public Texts(Path file) {
    this.file = file;
  }

  /** Keeps a text. Returns the number by which it is found again. */
  public long add(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      DataOutputStream to = out;
      if (to == null) {
        to = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
        out = to;
      }
      to.writeInt(bytes.length);
      to.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long at = size;
    size += Integer.BYTES + bytes.length;
    return at;
  }

  /** A text, once all have been added. */
  public String get(long at) {
    if (at == NONE) {
      return "";
    }
    try {
      RandomAccessFile from = in;
      if (from == null) {
        if (out != null) {
          out.flush();
        }
        from = new RandomAccessFile(file.toFile(), "r");
        in = from;
      }
      from.seek(at);
      byte[] bytes = new byte[from.readInt()];
      from.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the file. */
  @Override
  public void close() throws IOException {
    try (RandomAccessFile reading = in;
        DataOutputStream writing = out) {
      Files.deleteIfExists(file);
    }
  }
}
