package dev.kymo.importers.tracedat.file;

import dev.kymo.importers.linux.metadata.Input;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of the times of a virtual machine's file to its host's, by samples that were taken
 * while it was traced; before the first and after the last the two nearest ones are used.
 *
 * <pre>
 *   u64 trace of the host   u32 flags: 1 = interpolate   u32 processors, for each of them
 *     u32 n   n u64 times   n s64 offsets   n u64 scaling
 *   for each processor, not in old files:
 *     n u64 bits by which the scaled time is shifted right
 * </pre>
 *
 * @param host identifier of the host's trace
 * @param processors empty = no samples of this one
 */
record TimeShift(long host, boolean interpolates, List<List<Sample>> processors) {
  static final TimeShift NONE = new TimeShift(0, false, List.of());

  private static final int BYTES_OF_SAMPLE = 24;

  /**
   * How times are to be changed.
   *
   * @param time of the virtual machine
   * @param offset that is added
   */
  record Sample(long time, long offset, long scaling, int fraction) {}

  static TimeShift read(Input in, int mostProcessors) throws IOException {
    long host = in.number(8);
    boolean interpolates = (in.number(4) & 1) != 0;
    long count = in.number(4);
    if (count > mostProcessors) {
      throw in.wrong(
          "more processors than any kernel has", "cpus=" + count + " max=" + mostProcessors);
    }
    List<long[][]> all = new ArrayList<>();
    for (long cpu = 0; cpu < count; cpu++) {
      long samples = in.number(4);
      if (samples > (in.size() - in.position()) / BYTES_OF_SAMPLE) {
        throw in.wrong("samples of times are not in the option", "cpu=" + cpu + " n=" + samples);
      }
      int size = (int) samples;
      all.add(new long[][] {numbers(in, size), numbers(in, size), numbers(in, size), {}});
    }
    boolean shifted = in.position() < in.size();
    List<List<Sample>> processors = new ArrayList<>();
    for (long[][] of : all) {
      long[] bits = shifted ? numbers(in, of[0].length) : new long[of[0].length];
      processors.add(samples(of, bits));
    }
    return new TimeShift(host, interpolates, processors);
  }

  private static long[] numbers(Input in, int count) throws IOException {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = in.number(8);
    }
    return numbers;
  }

  /** By time; of those of the same time one is used. */
  private static List<Sample> samples(long[][] of, long... bits) {
    List<Sample> sorted = new ArrayList<>();
    for (int i = 0; i < bits.length; i++) {
      sorted.add(new Sample(of[0][i], of[1][i], of[2][i], (int) bits[i] & 63));
    }
    sorted.sort(Comparator.comparingLong(Sample::time));
    List<Sample> different = new ArrayList<>();
    for (Sample sample : sorted) {
      if (different.isEmpty() || different.getLast().time != sample.time) {
        different.add(sample);
      }
    }
    return different;
  }

  /** Whether times are to be changed. */
  boolean isKnown() {
    return processors.stream().anyMatch(samples -> !samples.isEmpty());
  }

  /** The samples of a processor; null if its times stay. */
  @Nullable List<Sample> of(int cpu) {
    return cpu < processors.size() && !processors.get(cpu).isEmpty() ? processors.get(cpu) : null;
  }

  long host(List<Sample> samples, long time) {
    if (samples.size() == 1) {
      return time + samples.getFirst().offset;
    }
    int from = 0;
    int to = samples.size() - 2;
    while (from < to) {
      int middle = (from + to + 1) >>> 1;
      if (samples.get(middle).time <= time) {
        from = middle;
      } else {
        to = middle - 1;
      }
    }
    Sample before = samples.get(from);
    long offset = interpolates ? interpolated(time, before, samples.get(from + 1)) : before.offset;
    return scaled(time, before) + offset;
  }

  private static long interpolated(long time, Sample from, Sample to) {
    BigInteger change =
        BigInteger.valueOf(time - from.time).multiply(BigInteger.valueOf(to.offset - from.offset));
    long length = to.time - from.time;
    return from.offset
        + change.add(BigInteger.valueOf(length / 2)).divide(BigInteger.valueOf(length)).longValue();
  }

  private static long scaled(long time, Sample by) {
    if (by.scaling == 1 && by.fraction == 0) {
      return time;
    }
    return BigInteger.valueOf(time)
        .multiply(new BigInteger(Long.toUnsignedString(by.scaling)))
        .shiftRight(by.fraction)
        .longValue();
  }
}
