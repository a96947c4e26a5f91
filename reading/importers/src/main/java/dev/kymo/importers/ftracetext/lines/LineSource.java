package dev.kymo.importers.ftracetext.lines;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a text, which may be in HTML or, after a line {@code TRACE:}, compressed by zlib. Of a
 * line too long to be one only the begin is kept.
 */
public final class LineSource {
  private static final int LONGEST = 64 * 1024;
  private static final int ZLIB = 0x78;

  private InputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int filled;
  private int at;
  private long number;
  private long done;
  private boolean cut;

  public LineSource(InputStream in) {
    this.in = in;
  }

  private int next() throws IOException {
    if (at == filled) {
      filled = Math.max(0, in.read(buffer));
      at = 0;
      if (filled == 0) {
        return -1;
      }
    }
    done++;
    return buffer[at++] & 0xFF;
  }

  /** The next line without its end; null at the text's end. */
  public @Nullable String line() throws IOException {
    int c = next();
    if (c < 0) {
      return null;
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    cut = false;
    for (; c >= 0 && c != '\n'; c = next()) {
      if (line.size() < LONGEST) {
        line.write(c);
      } else {
        cut = true;
      }
    }
    number++;
    String text = line.toString(StandardCharsets.UTF_8);
    if (text.strip().equals("TRACE:")) {
      uncompress();
    }
    return text.endsWith("\\n\\") ? text.substring(0, text.length() - 3) : text;
  }

  private void uncompress() throws IOException {
    int c = next();
    if (c < 0) {
      return;
    }
    at--;
    done--;
    if (c == ZLIB) {
      InputStream rest =
          new SequenceInputStream(new ByteArrayInputStream(buffer.clone(), at, filled - at), in);
      in = new InflaterInputStream(rest);
      at = 0;
      filled = 0;
    }
  }

  /** Number of the last line, from 1 on. */
  public long number() {
    return number;
  }

  /** Whether the last line was too long. */
  public boolean isCut() {
    return cut;
  }

  /** Bytes of text so far. */
  public long done() {
    return done;
  }
}
