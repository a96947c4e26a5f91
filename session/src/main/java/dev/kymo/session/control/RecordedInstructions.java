package dev.kymo.session.control;

import dev.kymo.format.InstructionLayout;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The recording of instructions that a process belongs to, which it has a page of in its memory. An
 * order in it is for all processes of the recording.
 */
public final class RecordedInstructions {
  private static final Pattern SHARED =
      Pattern.compile(
          "^\\S+ \\S+ \\S+ \\S+ \\S+ +(/.*/%s/shared)$".formatted(InstructionLayout.DIRECTORY),
          Pattern.MULTILINE);
  private static final String MACHINE = "libkymo-machine.so";
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final Path shared;

  private RecordedInstructions(Path shared) {
    this.shared = shared;
  }

  /**
   * Finds it; null if the process has none, or is another user's.
   *
   * @throws IOException if it is a machine's
   */
  public static @Nullable RecordedInstructions find(long pid) throws IOException {
    String maps;
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "maps"));
      maps = new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null; // ended, or another user's
    }
    Matcher matcher = SHARED.matcher(maps);
    if (!matcher.find()) {
      return null;
    }
    if (maps.contains(MACHINE)) {
      throw new IOException(
          "the recording of a machine is not switched from outside, because a replay could not do the same: pid=%d; use --start-at and --stop-at"
              .formatted(pid));
    }
    return new RecordedInstructions(Path.of(matcher.group(1)));
  }

  /** Says something to all processes of the recording; returns the answer. */
  public String say(String command) throws IOException {
    try (FileChannel file =
            FileChannel.open(shared, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      if (file.size() != InstructionLayout.SHARED_SIZE) {
        throw new IOException("not a recording of instructions: file=" + shared);
      }
      MemorySegment page =
          file.map(FileChannel.MapMode.READ_WRITE, 0, InstructionLayout.SHARED_SIZE, arena);
      switch (command) {
        case "start" -> order(page, true);
        case "stop" -> order(page, false);
        case "status" -> {} // the answer says it
        default ->
            throw new UsageException(
                "of instructions, kymo ctl knows start, stop and status: " + command);
      }
      return status(page);
    }
  }

  private static void order(MemorySegment page, boolean on) throws IOException {
    int now;
    do {
      now = orders(page);
      if (now == InstructionLayout.LAST_ORDER) {
        throw new IOException("recording has stopped at a fault, for good");
      }
      if (isOn(now) == on) {
        return;
      }
    } while (!INT.compareAndSet(page, (long) InstructionLayout.SHARED_ORDERS_OFFSET, now, now + 1));
    Futex.wake(page.asSlice(InstructionLayout.SHARED_ORDERS_OFFSET), Integer.MAX_VALUE);
  }

  private static int orders(MemorySegment page) {
    return (int) INT.getAcquire(page, (long) InstructionLayout.SHARED_ORDERS_OFFSET);
  }

  private static boolean isOn(int orders) {
    return orders % 2 == 0;
  }

  private static String status(MemorySegment page) {
    int orders = orders(page);
    String how =
        orders == InstructionLayout.LAST_ORDER ? "stopped at a fault" : isOn(orders) ? "on" : "off";
    return "instructions %s, clock=%d processes=%d"
        .formatted(
            how,
            (long) LONG.getAcquire(page, (long) InstructionLayout.SHARED_CLOCK_OFFSET),
            (int) INT.getAcquire(page, (long) InstructionLayout.SHARED_PROCESSES_OFFSET));
  }
}
