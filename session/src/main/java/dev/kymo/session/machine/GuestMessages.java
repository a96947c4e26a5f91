package dev.kymo.session.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes what the machine's first program sends, in a thread of its own: messages in a pipe that say
 * which bytes of the machine's memory to take. The machine waits while the pipe is full. {@code
 * recording/native/machine/init.c} has the layout.
 */
final class GuestMessages implements AutoCloseable {
  /** Memory of the machine's that its kernel is told to leave alone. */
  static final long AREA_ADDRESS = 0x600_0000;

  /** Bytes of it. */
  static final int AREA_SIZE = (1024 + 2) * (16 << 10);

  private static final int MESSAGE = 64;
  private static final int STATUS = 5;
  private static final int FAILURE = 6;

  private final FileChannel keptOpen;
  private final FileChannel pipe;
  private final Path memory;
  private final Receiver receiver;
  private final Thread thread;
  private final AtomicLong received = new AtomicLong();
  private volatile OptionalInt status = OptionalInt.empty();
  private volatile @Nullable String failure;

  interface Receiver {
    int OUTPUT = 1;
    int ERRORS = 2;
    int SYMBOLS = 3;
    int TYPES = 4;

    /**
     * Takes them before it returns.
     *
     * @param kind one of the numbers above
     */
    void take(int kind, ByteBuffer bytes) throws IOException;
  }

  /**
   * Begins.
   *
   * @param pipe that QEMU writes messages to
   * @param memory the file that QEMU has as the machine's memory
   */
  GuestMessages(Path pipe, Path memory, Receiver receiver) throws IOException {
    // So the other end need not be open yet.
    keptOpen = FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE);
    this.pipe = FileChannel.open(pipe);
    this.memory = memory;
    this.receiver = receiver;
    this.thread = Thread.ofPlatform().name("kymo machine").unstarted(this::run);
    thread.start();
  }

  /** How the program ended, as the system encodes it; empty if it has not. */
  OptionalInt status() {
    return status;
  }

  /** Messages so far. */
  long received() {
    return received.get();
  }

  /** Whether nothing is taken any more. */
  boolean isOver() {
    return !thread.isAlive();
  }

  /** Why the machine could not run the program; null if nothing is known. */
  @Nullable String failure() {
    return failure;
  }

  private void run() {
    ByteBuffer message = ByteBuffer.allocate(MESSAGE).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer area = null;
    try (pipe) {
      while (fill(message)) {
        received.incrementAndGet();
        if (area == null) {
          area = area();
        }
        handle(message, area);
      }
    } catch (IOException e) {
      failure = e.getMessage();
    }
  }

  private boolean fill(ByteBuffer message) throws IOException {
    message.clear();
    while (message.hasRemaining()) {
      if (pipe.read(message) < 0) {
        return false;
      }
    }
    return true;
  }

  private ByteBuffer area() throws IOException {
    try (FileChannel file = FileChannel.open(memory)) {
      return file.map(FileChannel.MapMode.READ_ONLY, AREA_ADDRESS, AREA_SIZE);
    }
  }

  private void handle(ByteBuffer message, ByteBuffer area) {
    int kind = message.getInt(0);
    int offset = message.getInt(4);
    int length = message.getInt(8);
    if (kind == STATUS) {
      status = OptionalInt.of(length);
    } else if (kind == FAILURE) {
      failure = "the kernel does not give memory to the first program: error=" + length;
    } else if (offset < 0 || length < 0 || offset > AREA_SIZE - length) {
      failure = "bytes outside the memory: offset=%d length=%d".formatted(offset, length);
    } else {
      try {
        receiver.take(kind, area.slice(offset, length));
      } catch (IOException e) {
        failure = e.getMessage(); // the machine goes on: whoever does not read on, stops it
      }
    }
  }

  /** QEMU has ended: takes the rest. */
  @Override
  public void close() throws IOException, InterruptedException {
    keptOpen.close();
    thread.join();
  }
}
