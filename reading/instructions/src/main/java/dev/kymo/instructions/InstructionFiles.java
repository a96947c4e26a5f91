package dev.kymo.instructions;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The files of a trace of instructions, which are read by their names. */
public interface InstructionFiles {
  List<String> names() throws IOException;

  /** Size of a file in bytes. */
  long size(String name) throws IOException;

  /** Fills the buffer from a position on, as far as the file goes; returns the bytes read. */
  int read(String name, ByteBuffer to, long position) throws IOException;

  /** A part of a file, or less at its end; little-endian. */
  default ByteBuffer read(String name, long position, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    int got = read(name, bytes, position);
    return bytes.position(0).limit(Math.max(0, got));
  }

  /** The files of a directory that belongs to whoever reads it. */
  static InstructionFiles of(Path directory) {
    return new InstructionFiles() {
      @Override
      public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
          return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
      }

      @Override
      public long size(String name) throws IOException {
        return Files.size(directory.resolve(name));
      }

      @Override
      public int read(String name, ByteBuffer to, long position) throws IOException {
        try (FileChannel file =
            FileChannel.open(directory.resolve(name), StandardOpenOption.READ)) {
          int total = 0;
          while (to.hasRemaining()) {
            int got = file.read(to, position + total);
            if (got <= 0) {
              break;
            }
            total += got;
          }
          return total;
        }
      }
    };
  }
}
