package dev.kymo.instructions.completion;

import dev.kymo.format.InstructionLayout;
import dev.kymo.format.Redaction;
import dev.kymo.instructions.trace.ProcessFacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Leaves secrets out of the command line in a file of facts. The plugin runs in the recorded
 * process and writes what it finds; what it wrote stays in the recording.
 */
final class FactRedaction {
  /** Of the first fact, which is of the process; a machine's others have names only. */
  private static final int FACT = InstructionLayout.FACTS_HEAD;

  private static final int TEXT = FACT + InstructionLayout.FACT_HEAD + 28;

  private FactRedaction() {}

  /**
   * Writes the command line anew, in the room that it has: a process that still runs may have the
   * file mapped.
   */
  static void leaveOut(Path path, Redaction redaction) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer head = read(file, 0, TEXT);
      if (head.remaining() < TEXT
          || head.getInt(0) != InstructionLayout.FACTS_MAGIC
          || head.getInt(FACT) != InstructionLayout.FACT_PROCESS) {
        return; // damaged: whoever reads it reports where
      }
      long size = (long) FACT + InstructionLayout.FACT_HEAD + head.getInt(FACT + 4) - TEXT;
      if (size > 0 && size <= ProcessFacts.MAX_FACT) {
        write(file, read(file, TEXT, (int) size), redaction);
      }
    }
  }

  private static void write(FileChannel file, ByteBuffer text, Redaction redaction)
      throws IOException {
    byte[] room = new byte[text.remaining()];
    byte[] left =
        redaction
            .of(StandardCharsets.UTF_8.decode(text).toString())
            .getBytes(StandardCharsets.UTF_8);
    Arrays.fill(room, (byte) ' ');
    System.arraycopy(left, 0, room, 0, Math.min(room.length, left.length));
    ByteBuffer to = ByteBuffer.wrap(room);
    while (to.hasRemaining()) {
      file.write(to, TEXT + to.position());
    }
  }

  private static ByteBuffer read(FileChannel file, long at, int size) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    while (to.hasRemaining() && file.read(to, at + to.position()) > 0) {
      // more may come
    }
    return to.flip();
  }
}
