package dev.kymo.recorder.platform;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the agent's library in C ({@code recording/native/agent}), which are usable at
 * once: the JDK's own ways load and make many classes on first use. If the library is missing, the
 * JDK's ways are used.
 */
public final class AgentLibrary {
  private static volatile boolean there;
  private static volatile @Nullable Cleaner cleaner;

  private AgentLibrary() {}

  /** The processor's counter; 0 if this processor's is not known. */
  public static native long readClock();

  /**
   * Records an event of a thread into its ring.
   *
   * @param word a compact record without its clock
   * @return what {@code LentRing} says; 0 if nothing was recorded
   */
  static native long record(long word, long thread);

  /** Records an event with an argument after the word. */
  static native long record(long word, long thread, long argument);

  /**
   * Address of the function in C that takes a given number of arguments: {@link #readClock}, {@link
   * #record(long, long)} and the other; 0 if there is none.
   */
  static native long function(int arguments);

  /** Memory for C's knowledge of a ring; null if there is none. */
  public static native @Nullable ByteBuffer newRing();

  /** Frees it; no thread may be using it. */
  public static native void freeRing(long address);

  /**
   * Makes the caller's platform thread, or carrier, record there.
   *
   * @param ring its address; 0 for no ring
   */
  public static native void use(long ring);

  /**
   * Memory that is shared with a file.
   *
   * @param file its path, followed by a zero
   * @return null if it cannot be mapped
   */
  private static native @Nullable ByteBuffer map(byte[] file, long size);

  private static native int processId();

  public static native long address(ByteBuffer mapped);

  private static native void unmap(long address, long size);

  /**
   * Finds out who is at both ends of a connected socket; {@code recording/native/src/base/peers.h}.
   *
   * @param numbers takes the numbers of the stream that is written and of the one that is read
   * @return a line with the address of this end, and one with that of the other end; null if it is
   *     no connected stream socket
   */
  public static native byte @Nullable [] peers(int descriptor, long[] numbers);

  /**
   * Begins to keep sleeps and what threads wait for at monitors, and pauses of the garbage
   * collector; false if the virtual machine does not report them.
   *
   * @param counter whether the recording's clock is the processor's counter
   */
  public static boolean beginWaits(boolean waits, boolean pauses, boolean counter) {
    return begin(waits, pauses, counter); // which must be called by a class of the boot loader
  }

  private static native boolean begin(boolean waits, boolean pauses, boolean counter);

  /** Keeps none from now on. */
  public static void endWaits() {
    end();
  }

  private static native void end();

  /** Those that have ended since the last call, as {@code recording/native/agent/waits.h} says. */
  public static native byte @Nullable [] takeWaits();

  /** The threads that wait to enter a monitor, likewise. */
  public static native byte @Nullable [] entering();

  /**
   * Calls a function of the C library as if it took six numbers and returned one.
   *
   * @param name followed by a zero
   * @param error takes the error's number
   * @return 0, with an error of -1, if there is no such function
   */
  public static native long call(
      byte[] name, int[] error, long a, long b, long c, long d, long e, long f);

  /**
   * Must be called when the agent has loaded the library.
   *
   * @param unmaps removes what is no longer used
   */
  public static void isThere(Cleaner unmaps) {
    there = true;
    cleaner = unmaps;
  }

  /** Loads it into Kymo's own virtual machine; false if that cannot be. */
  public static boolean load(Path library) {
    try {
      System.load(library.toString());
      there = true;
    } catch (LinkageError | RuntimeException e) {
      // not built, or for another machine
    }
    return there;
  }

  public static int pid() {
    return there ? processId() : (int) ProcessHandle.current().pid();
  }

  /** Whether the agent has loaded it. */
  public static boolean isLoaded() {
    return there;
  }

  static boolean hasClock() {
    return there && function(0) != 0;
  }

  /**
   * Maps a file for as long as somebody uses the memory.
   *
   * @return null if that is not possible this way
   */
  public static @Nullable ByteBuffer map(Path file, long size) {
    Cleaner unmaps = cleaner;
    if (unmaps == null) {
      return null;
    }
    ByteBuffer mapped = map((file + "\0").getBytes(StandardCharsets.UTF_8), size);
    if (mapped == null) {
      return null;
    }
    unmaps.register(mapped, new Unmapping(address(mapped), size));
    return mapped.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Refers to no memory. */
  private record Unmapping(long address, long size) implements Runnable {
    @Override
    public void run() {
      unmap(address, size);
    }
  }
}
