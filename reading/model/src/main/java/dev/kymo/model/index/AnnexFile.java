package dev.kymo.model.index;

import dev.kymo.reader.SafeDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The file of an {@link Annex}: one block, which begins with the head of the index it belongs to.
 * It is written last, and only by the holder of the index's lock.
 */
final class AnnexFile {
  static final String NAME = "totals";
  static final String NEW_NAME = "totals.new";
  private static final int CHECK = 4;
  private static final int MOST_BYTES = 64 << 20;

  private AnnexFile() {}

  static byte @Nullable [] read(SafeDirectory directory, ByteWriter head) {
    if (!directory.isFile(NAME)) {
      return null;
    }
    try (IndexFile file = IndexFile.open(directory, NAME)) {
      long size = file.size() - CHECK;
      if (size < 0 || size > MOST_BYTES) {
        return null;
      }
      ByteCursor block = file.read(0, (int) size);
      return block.passes(head) ? block.rest() : null;
    } catch (IOException | RuntimeException e) {
      return null; // it can be made again
    }
  }

  /** Writes nothing if it cannot, or while another process writes. */
  static void write(SafeDirectory directory, String lock, ByteWriter head, byte[] bytes) {
    if (head.size + bytes.length > MOST_BYTES) {
      return;
    }
    try (FileChannel channel = directory.lockFile(lock)) {
      if (channel.tryLock() == null) {
        return;
      }
      try (IndexFile file = IndexFile.create(directory, NEW_NAME)) {
        file.append(head.all(bytes));
        file.flush();
      }
      directory.rename(NEW_NAME, NAME);
    } catch (IOException | RuntimeException e) {
      // Then whoever opens the recording next makes it again.
    }
  }
}
