package dev.kymo.importers.tracedat.file;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.kymo.importers.linux.metadata.Input;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Takes compressed parts of the file apart.
 *
 * <pre>
 *   u32  bytes of compressed data
 *   u32  bytes when it is uncompressed
 *        data
 * </pre>
 */
final class Unpacker {
  /** trace-cmd compresses ten pages at a time, or a section. */
  private static final int MOST = 64 * 1024 * 1024;

  private final String method;

  Unpacker(String method) {
    this.method = method;
  }

  /** Whether the file's method is one of those that trace-cmd has. */
  boolean isKnown() {
    return method.equals("none") || method.equals("zlib") || method.equals("zstd");
  }

  /** The part that begins where the input is, of at most so many bytes. */
  byte[] unpack(Input in, int most) throws IOException {
    long begin = in.position();
    long packed = in.number(4);
    long unpacked = in.number(4);
    if (unpacked > Math.min(most, MOST)) {
      throw in.wrong("compressed part is too large", "bytes=" + unpacked + " max=" + most);
    }
    byte[] content = in.bytes(packed, MOST);
    byte[] to = new byte[(int) unpacked];
    int done = method.equals("zlib") ? inflate(content, to) : zstd(content, to);
    if (done != to.length) {
      in.seek(begin);
      throw in.wrong(
          "compressed part is damaged", "method=" + method + " bytes=" + unpacked + " got=" + done);
    }
    return to;
  }

  private static int inflate(byte[] content, byte[] to) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(content);
      int done = 0;
      while (done < to.length) {
        int more = inflater.inflate(to, done, to.length - done);
        if (more == 0) {
          break;
        }
        done += more;
      }
      return done;
    } catch (DataFormatException e) {
      return -1;
    } finally {
      inflater.end();
    }
  }

  private static int zstd(byte[] content, byte[] to) {
    try {
      long done = Zstd.decompressByteArray(to, 0, to.length, content, 0, content.length);
      return Zstd.isError(done) ? -1 : (int) done;
    } catch (ZstdException e) {
      return -1;
    }
  }
}
