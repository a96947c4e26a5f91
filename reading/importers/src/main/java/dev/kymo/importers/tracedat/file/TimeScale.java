package dev.kymo.importers.tracedat.file;

import java.math.BigInteger;

/**
 * Conversion of the times in the pages to nanoseconds.
 *
 * @param multiplier of the processor's cycles; 0 = the times are nanoseconds
 * @param shift bits by which the product is shifted right
 * @param offset nanoseconds that are added
 * @param wallOffset nanoseconds since 1970 at time 0; 0 = not said
 */
record TimeScale(long multiplier, int shift, long offset, long wallOffset) {
  static final TimeScale NONE = new TimeScale(0, 0, 0, 0);

  long nanos(long time) {
    if (multiplier == 0) {
      return time + offset;
    }
    if (Math.multiplyHigh(time, multiplier) == 0 && time * multiplier >= 0) {
      return ((time * multiplier) >>> shift) + offset;
    }
    BigInteger product =
        new BigInteger(Long.toUnsignedString(time)).multiply(BigInteger.valueOf(multiplier));
    return product.shiftRight(shift).longValue() + offset;
  }

  TimeScale scaled(long by, int bits) {
    return new TimeScale(by, bits & 63, offset, wallOffset);
  }

  TimeScale shifted(long nanos) {
    return new TimeScale(multiplier, shift, offset + nanos, wallOffset);
  }

  TimeScale since(long wall) {
    return new TimeScale(multiplier, shift, offset, wall);
  }
}
