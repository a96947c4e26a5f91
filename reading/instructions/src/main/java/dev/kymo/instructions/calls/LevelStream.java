package dev.kymo.instructions.calls;

import dev.kymo.instructions.trace.FunctionNumbers;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;

/**
 * A file with a part of a thread's calls, for readers that do not make calls of instructions: only
 * system calls, signals, exceptions, interrupts, and when the thread was not running. Kymo's reader
 * takes the whole stream of the same name instead.
 */
public final class LevelStream implements AutoCloseable {
  private static final byte UNKNOWN = 0;
  private static final byte CODE = 1;
  private static final byte LEVEL = 2;

  private final FunctionNumbers methods;
  private final FileChannel file;
  private final NestPackets packets;
  private byte[] kinds = new byte[1024];

  public LevelStream(Path directory, UUID uuid, ProcessTrace process, int thread)
      throws IOException {
    methods = process.methods();
    file =
        FileChannel.open(
            directory.resolve(InstructionStream.name(process.number(), thread)),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    packets = new NestPackets(uuid, process.number(), thread, 0, this::write);
  }

  private void write(ByteBuffer packet) {
    try {
      while (packet.hasRemaining()) {
        file.write(packet);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isLevel(int method) {
    if (method >= kinds.length) {
      kinds = Arrays.copyOf(kinds, Math.max(method + 1, 2 * kinds.length));
    }
    if (kinds[method] == UNKNOWN) {
      kinds[method] = Functions.isCode(methods.address(method)) ? CODE : LEVEL;
    }
    return kinds[method] == LEVEL;
  }

  void gap() {
    packets.gap();
  }

  /** Hands all calls on, and takes its own. */
  NestSink beside(NestSink all) {
    return new NestSink() {
      @Override
      public void enter(int method, long clock) {
        all.enter(method, clock);
        if (isLevel(method)) {
          packets.enter(method, clock);
        }
      }

      @Override
      public void leave(int method, long clock) {
        all.leave(method, clock);
        if (isLevel(method)) {
          packets.leave(method, clock);
        }
      }

      @Override
      public void unwind(int method, long clock) {
        all.unwind(method, clock);
        if (isLevel(method)) {
          packets.unwind(method, clock);
        }
      }

      @Override
      public void present(long clock) {
        all.present(clock);
        packets.present(clock);
      }
    };
  }

  @Override
  public void close() throws IOException {
    packets.close();
    file.close();
  }
}
