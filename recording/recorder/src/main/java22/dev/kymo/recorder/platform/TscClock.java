package dev.kymo.recorder.platform;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads the processor's counter from Java 22 or later. Loaded by name, so that the rest of this
 * module runs on 17. In recorded programs the agent defines it in {@code java.base}, which may make
 * native calls without a warning; that is why it must use nothing of this module.
 */
public final class TscClock {
  /** rdtsc; shl rdx, 32; or rax, rdx; ret. */
  private static final String X86_TICKS = "0f31 48c1e220 4809d0 c3";

  /** isb; mrs x0, cntvct_el0; ret. */
  private static final String ARM_TICKS = "df3f03d5 40e03bd5 c0035fd6";

  /** mrs x0, cntfrq_el0; ret. */
  private static final String ARM_FREQUENCY = "00e03bd5 c0035fd6";

  private static final long READ = 1;
  private static final long WRITE = 2;
  private static final long EXECUTE = 4;
  private static final long PRIVATE_ANONYMOUS = 0x22;

  /** Of the largest pages that processors have. */
  private static final long PAGE = 65536;

  private TscClock() {}

  /**
   * A handle that calls a function in C, which returns soon; of type {@code (long, ...)long}.
   *
   * @param address of the function; 0 to make one that reads the counter, 1 its frequency
   * @throws IllegalStateException if this system allows no executable memory to make it in
   */
  public static MethodHandle handle(long address, int arguments) {
    Linker linker = Linker.nativeLinker();
    MemorySegment code =
        address == 0 || address == 1
            ? executable(linker, address)
            : MemorySegment.ofAddress(address);
    MemoryLayout[] numbers = new MemoryLayout[arguments];
    Arrays.fill(numbers, ValueLayout.JAVA_LONG);
    return linker.downcallHandle(
        code, FunctionDescriptor.of(ValueLayout.JAVA_LONG, numbers), Linker.Option.critical(false));
  }

  /**
   * Machine code, in hexadecimal digits, of a function without arguments.
   *
   * @param what as of {@link #handle}
   */
  public static String code(String architecture, long what) {
    if (architecture.equals("aarch64")) {
      return what == 0 ? ARM_TICKS : ARM_FREQUENCY;
    }
    if (architecture.equals("amd64") && what == 0) {
      return X86_TICKS;
    }
    throw new IllegalStateException("this processor's counter cannot be read: " + architecture);
  }

  private static MemorySegment executable(Linker linker, long what) {
    byte[] bytes =
        HexFormat.of().parseHex(code(System.getProperty("os.arch"), what).replace(" ", ""));
    // Linked like Kymo's own system calls: further calls of the same shape take no time.
    ValueLayout.OfLong number = ValueLayout.JAVA_LONG;
    MethodHandle call =
        linker.downcallHandle(
            FunctionDescriptor.of(number, number, number, number, number, number, number),
            Linker.Option.captureCallState("errno"));
    MemorySegment map = linker.defaultLookup().find("mmap").orElseThrow();
    MemorySegment protect = linker.defaultLookup().find("mprotect").orElseThrow();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(Linker.Option.captureStateLayout());
      long address =
          (long) call.invokeExact(map, error, 0L, PAGE, READ | WRITE, PRIVATE_ANONYMOUS, -1L, 0L);
      if (address == -1) {
        throw new IllegalStateException("no memory for the clock's code");
      }
      MemorySegment page = MemorySegment.ofAddress(address).reinterpret(PAGE);
      MemorySegment.copy(bytes, 0, page, ValueLayout.JAVA_BYTE, 0, bytes.length);
      int result =
          (int) (long) call.invokeExact(protect, error, address, PAGE, READ | EXECUTE, 0L, 0L, 0L);
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
