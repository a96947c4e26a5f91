package dev.kymo.kernel.daemon;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in arrays, as the kernel of an x86 machine stores them. */
final class Bytes {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  static int i32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static void i32(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  static void i16(byte[] bytes, int at, int value) {
    SHORT.set(bytes, at, (short) value);
  }

  static long i64(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static void i64(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }
}
