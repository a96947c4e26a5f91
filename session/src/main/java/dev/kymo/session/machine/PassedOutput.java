package dev.kymo.session.machine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.Map;

/**
 * Passes on what the program in the machine writes, unchanged. Where nobody reads any more, the
 * program is recorded all the same.
 */
final class PassedOutput implements GuestMessages.Receiver {
  private final Map<Integer, FileChannel> open = new HashMap<>();

  @SuppressWarnings("resource") // they are the process's own
  PassedOutput() {
    open.put(OUTPUT, new FileOutputStream(FileDescriptor.out).getChannel());
    open.put(ERRORS, new FileOutputStream(FileDescriptor.err).getChannel());
  }

  @Override
  public void take(int kind, ByteBuffer bytes) {
    FileChannel to = open.get(kind);
    try {
      while (to != null && bytes.hasRemaining()) {
        to.write(bytes);
      }
    } catch (IOException e) {
      open.remove(kind);
    }
  }
}
