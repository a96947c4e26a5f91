package dev.kymo.recorder;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Reads the processor's time stamp counter from Java 22 or later. Loaded by name, so that the rest
 * of this module runs on 17. In recorded programs the agent defines it in {@code java.base}, which
 * may make native calls without a warning; that is why it must use nothing of this module.
 */
public final class TscClock {
  /** rdtsc; shl rdx, 32; or rax, rdx; ret. */
  private static final byte[] CODE = {
    0x0F, 0x31, 0x48, (byte) 0xC1, (byte) 0xE2, 0x20, 0x48, 0x09, (byte) 0xD0, (byte) 0xC3
  };

  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int PROT_EXEC = 4;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
  private static final long PAGE = 4096;

  private TscClock() {}

  /**
   * A handle of type {@code ()long} that reads the counter.
   *
   * @throws IllegalStateException if this system allows no executable memory
   */
  public static MethodHandle handle() {
    Linker linker = Linker.nativeLinker();
    MemorySegment page = executable(linker);
    return linker.downcallHandle(
        page, FunctionDescriptor.of(ValueLayout.JAVA_LONG), Linker.Option.critical(false));
  }

  private static MemorySegment executable(Linker linker) {
    MethodHandle map =
        linker.downcallHandle(
            linker.defaultLookup().find("mmap").orElseThrow(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG));
    MethodHandle protect =
        linker.downcallHandle(
            linker.defaultLookup().find("mprotect").orElseThrow(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT));
    try {
      long address =
          (long) map.invokeExact(0L, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      if (address == -1) {
        throw new IllegalStateException("no memory for the clock's code");
      }
      MemorySegment page = MemorySegment.ofAddress(address).reinterpret(PAGE);
      MemorySegment.copy(CODE, 0, page, ValueLayout.JAVA_BYTE, 0, CODE.length);
      int result = (int) protect.invokeExact(address, PAGE, PROT_READ | PROT_EXEC);
      if (result != 0) {
        throw new IllegalStateException("this system allows no executable memory");
      }
      return page;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
