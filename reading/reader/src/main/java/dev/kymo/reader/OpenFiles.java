package dev.kymo.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The open files of a recording. It may have more streams than a process may have open files, so
 * files that were not used for longest are closed. Safe for use by several threads, one at a time
 * reads.
 */
final class OpenFiles implements AutoCloseable {
  private static final int MAX = 200;

  private final SafeDirectory directory;
  private final Map<String, FileChannel> channels = new LinkedHashMap<>(64, 0.75f, true);

  OpenFiles(SafeDirectory directory) {
    this.directory = directory;
  }

  synchronized int read(String name, ByteBuffer to, long position) throws IOException {
    FileChannel channel = channels.get(name);
    if (channel == null || !channel.isOpen()) {
      makeRoom();
      channel = directory.read(name);
      channels.put(name, channel);
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
        // It was only read: there is nothing to lose.
      }
    }
    channels.clear();
  }
}
