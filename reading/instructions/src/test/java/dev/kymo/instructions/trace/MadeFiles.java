package dev.kymo.instructions.trace;

import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;

/** Files that are in memory only. */
public record MadeFiles(Map<String, byte[]> files) implements InstructionFiles {
  @Override
  public List<String> names() {
    return files.keySet().stream().sorted().toList();
  }

  private byte[] file(String name) throws IOException {
    byte[] file = files.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  @Override
  public long size(String name) throws IOException {
    return file(name).length;
  }

  @Override
  public int read(String name, ByteBuffer to, long position) throws IOException {
    byte[] file = file(name);
    int size = Math.min(to.remaining(), file.length - (int) position);
    to.put(file, (int) position, Math.max(0, size));
    return size;
  }
}
