package dev.kymo.network.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongSupplier;

/**
 * Packs frames with zstd as long as that pays: if the time that packing takes is less than what
 * writing the bytes that it saves would take. Both are measured all the time, so a slow network
 * gets packed frames, and a fast one, or one machine alone, gets them as they are. Used by one
 * thread.
 */
public final class Packing {
  private static final int LEVEL = 1;

  /** Shorter frames do not matter. */
  private static final int SHORTEST = 4096;

  /** Of frames that are not packed one of so many is, to find out what packing would bring. */
  private static final int TRIED = 64;

  /** How much the last measurement counts. */
  private static final double NEWEST = 0.1;

  private final LongSupplier clock;
  private double writeNanosPerByte;
  private double packNanosPerByte;
  private double saved;
  private int untilTrial;

  public Packing() {
    this(System::nanoTime);
  }

  /**
   * Measures with another clock.
   *
   * @param clock in nanoseconds
   */
  Packing(LongSupplier clock) {
    this.clock = clock;
  }

  /** A stream into the network, that measures how long writing takes. */
  public OutputStream measured(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        long begin = clock.getAsLong();
        out.write(bytes, offset, length);
        if (length >= SHORTEST) {
          double nanos = clock.getAsLong() - begin;
          writeNanosPerByte = average(writeNanosPerByte, nanos / length);
        }
      }
    };
  }

  private static double average(double before, double now) {
    return before == 0 ? now : before + NEWEST * (now - before);
  }

  /** Whether a frame of so many bytes is to be packed. */
  boolean isFor(int length) {
    if (length < SHORTEST) {
      return false;
    }
    boolean trial = untilTrial-- <= 0;
    if (trial) {
      untilTrial = TRIED;
    }
    return trial || pays();
  }

  byte[] packed(byte[] content) {
    long begin = clock.getAsLong();
    byte[] packed = Zstd.compress(content, LEVEL);
    double nanos = clock.getAsLong() - begin;
    packNanosPerByte = average(packNanosPerByte, nanos / content.length);
    saved = average(saved, 1 - (double) packed.length / content.length);
    return packed;
  }

  private boolean pays() {
    return saved * writeNanosPerByte > packNanosPerByte;
  }

  /**
   * What was packed.
   *
   * @param length as its sender says, which is not trusted
   */
  static byte[] unpacked(byte[] packed, int length) throws ProtocolException {
    byte[] content = new byte[length];
    try {
      if (Zstd.decompress(content, packed) == length) {
        return content;
      }
      throw new ProtocolException("a packed frame is shorter than it says: bytes=" + length);
    } catch (ZstdException e) {
      throw new ProtocolException("a packed frame is damaged: error=" + e.getMessage());
    }
  }
}
