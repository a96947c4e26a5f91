package dev.kymo.reader;

import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The files of a recording's instructions, none of which is reached through a link. */
record SafeInstructionFiles(SafeDirectory directory, OpenFiles files) implements InstructionFiles {
  @Override
  public List<String> names() throws IOException {
    return directory.names().stream().filter(directory::isFile).sorted().toList();
  }

  @Override
  public long size(String name) throws IOException {
    return directory.attributes(name).size();
  }

  @Override
  public int read(String name, ByteBuffer to, long position) throws IOException {
    return files.read(name, to, position);
  }
}
