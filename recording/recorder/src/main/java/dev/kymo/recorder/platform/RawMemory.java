package dev.kymo.recorder.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads memory by its address, as the JDK does; the address must be valid. */
public final class RawMemory {
  private static final MethodHandle BYTE;
  private static final MethodHandle INT;
  private static final MethodHandle LONG;
  private static final VarHandle COPIED =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  static {
    try {
      Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Object unsafe = lookup.findStatic(type, "getUnsafe", MethodType.methodType(type)).invoke();
      BYTE = of(lookup, unsafe, "getByte", byte.class);
      INT = of(lookup, unsafe, "getInt", int.class);
      LONG = of(lookup, unsafe, "getLong", long.class);
    } catch (Throwable e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private RawMemory() {}

  private static MethodHandle of(
      MethodHandles.Lookup lookup, Object unsafe, String name, Class<?> result)
      throws ReflectiveOperationException {
    MethodType type = MethodType.methodType(result, long.class);
    return lookup.findVirtual(unsafe.getClass(), name, type).bindTo(unsafe);
  }

  private static byte int8(long address) {
    try {
      return (byte) BYTE.invokeExact(address);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Four bytes, in the machine's order. */
  public static int int32(long address) {
    try {
      return (int) INT.invokeExact(address);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Eight bytes, in the machine's order. */
  public static long int64(long address) {
    try {
      return (long) LONG.invokeExact(address);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static byte[] copy(long address, int bytes) {
    byte[] copy = new byte[bytes];
    copy(address, copy, 0, bytes);
    return copy;
  }

  public static void copy(long address, byte[] into, int at, int bytes) {
    int done = 0;
    for (; done <= bytes - Long.BYTES; done += Long.BYTES) {
      COPIED.set(into, at + done, int64(address + done));
    }
    for (; done < bytes; done++) {
      into[at + done] = int8(address + done);
    }
  }
}
