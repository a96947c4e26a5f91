package dev.kymo.session.control;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Wakes other processes that sleep on a word of memory that all share. */
final class Futex {
  private static final int WAKE = 1;

  private Futex() {}

  /** Wakes some; without effect where the system call's number is not known. */
  static void wake(MemorySegment word, int processes) {
    long number =
        switch (System.getProperty("os.arch")) {
          case "amd64" -> 202;
          case "aarch64", "riscv64" -> 98;
          default -> -1;
        };
    if (number < 0) {
      return; // the process looks itself, ten times a second
    }
    Linker linker = Linker.nativeLinker();
    MethodHandle call =
        linker.downcallHandle(
            linker.defaultLookup().find("syscall").orElseThrow(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(1));
    try {
      long _ =
          (long)
              call.invokeExact(
                  number, word, WAKE, processes, MemorySegment.NULL, MemorySegment.NULL, 0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
