package dev.kymo.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The open files of a recording. It may have more streams than a process may have files open, so
 * that those not used for longest are closed. Safe for use by several threads, one at a time reads.
 */
final class OpenFiles implements AutoCloseable {
  private static final int MAX = 200;

  private final Map<Path, FileChannel> channels = new LinkedHashMap<>(64, 0.75f, true);

  synchronized int read(Path path, ByteBuffer to, long position) throws IOException {
    FileChannel channel = channels.get(path);
    if (channel == null || !channel.isOpen()) {
      makeRoom();
      channel = FileChannel.open(path);
      channels.put(path, channel);
    }
    int total = 0;
    while (to.hasRemaining()) {
      int got = channel.read(to, position + total);
      if (got <= 0) {
        break;
      }
      total += got;
    }
    return total;
  }

  private void makeRoom() throws IOException {
    if (channels.size() >= MAX) {
      Iterator<FileChannel> oldest = channels.values().iterator();
      oldest.next().close();
      oldest.remove();
    }
  }

  @Override
  public synchronized void close() {
    for (FileChannel channel : channels.values()) {
      try {
        channel.close();
      } catch (IOException e) {
        // Only ever read from: there is nothing to lose.
      }
    }
    channels.clear();
  }
}
