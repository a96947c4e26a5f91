package dev.kymo.session.control;

import dev.kymo.format.MailboxLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The client's side of {@link MailboxLayout}: clients take turns, by a lock on the file. */
final class Mailbox {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  private final Path file;
  private final Liveness process;
  private final MemorySegment memory;

  /** Whether the process can still answer. */
  interface Liveness {
    /** Throws with the reason if not. */
    void check() throws IOException;
  }

  private Mailbox(Path file, Liveness process, MemorySegment memory) {
    this.file = file;
    this.process = process;
    this.memory = memory;
  }

  /**
   * Sends a line; returns the answer.
   *
   * @throws IOException if the process ends before it answers, or does not answer
   */
  static String say(Path file, Liveness process, String line) throws IOException {
    byte[] text = line.getBytes(StandardCharsets.UTF_8);
    if (text.length > MailboxLayout.LONGEST_LINE) {
      throw new IOException(
          "the command is too long, split it: bytes=%d max=%d"
              .formatted(text.length, MailboxLayout.LONGEST_LINE));
    }
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        Arena arena = Arena.ofConfined();
        FileLock _ = lock(channel, process)) {
      if (channel.size() != MailboxLayout.SIZE) { // mapping would make it larger
        throw new IOException("not a mailbox: file=%s bytes=%d".formatted(file, channel.size()));
      }
      MemorySegment memory =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, MailboxLayout.SIZE, arena);
      return new Mailbox(file, process, memory).converse(text);
    }
  }

  private static FileLock lock(FileChannel channel, Liveness process) throws IOException {
    while (true) {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return lock;
      }
      process.check();
      LockSupport.parkNanos(MOMENT);
    }
  }

  private String converse(byte[] line) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    await(get(MailboxLayout.REQUESTS_OFFSET)); // a client did not wait for its answer
    int from = 0;
    do {
      MemorySegment.copy(
          line, 0, memory, ValueLayout.JAVA_BYTE, MailboxLayout.LINE_OFFSET, line.length);
      INT.set(memory, (long) MailboxLayout.LINE_SIZE_OFFSET, line.length);
      INT.set(memory, (long) MailboxLayout.FROM_OFFSET, from);
      int mine = get(MailboxLayout.REQUESTS_OFFSET) + 1;
      INT.setRelease(memory, (long) MailboxLayout.REQUESTS_OFFSET, mine);
      int _ = (int) INT.getAndAdd(memory, (long) MailboxLayout.BELL_OFFSET, 1);
      Futex.wake(memory.asSlice(MailboxLayout.BELL_OFFSET), 1);
      await(mine);
      int room = MailboxLayout.SIZE - MailboxLayout.ANSWER_OFFSET;
      int size = Math.clamp(get(MailboxLayout.ANSWER_SIZE_OFFSET), 0, room);
      answer.write(
          memory.asSlice(MailboxLayout.ANSWER_OFFSET, size).toArray(ValueLayout.JAVA_BYTE));
      from = get(MailboxLayout.NEXT_OFFSET);
    } while (from != 0);
    return answer.toString(StandardCharsets.UTF_8);
  }

  /** Waits until a request is answered; an accepted request may take any time. */
  private void await(int request) throws IOException {
    long begin = System.nanoTime();
    while (get(MailboxLayout.ANSWERS_OFFSET) != request) {
      process.check();
      if (get(MailboxLayout.ACCEPTED_OFFSET) != request && System.nanoTime() - begin > PATIENCE) {
        throw new IOException(
            "the recorder of this process does not answer; is the process stopped, or debugged? mailbox="
                + file);
      }
      LockSupport.parkNanos(MOMENT);
    }
  }

  private int get(int offset) {
    return (int) INT.getAcquire(memory, (long) offset);
  }
}
