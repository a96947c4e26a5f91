package dev.kymo.model.index;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything of an index that is not in the files of levels and states, in blocks of bounded size:
 * recordings with very many threads have long contents. Written and read in the same order.
 *
 * <pre>
 *   blocks, then their directory: count · for each: bytes       then 4 bytes: bytes of the directory
 * </pre>
 */
public final class Contents {
  private static final int BLOCK = 1 << 20;
  private static final int CHECK = 4;

  private final IndexFile file;
  private final List<Integer> sizes = new ArrayList<>();
  private final ByteWriter bytes = new ByteWriter();

  Contents(IndexFile file) {
    this.file = file;
  }

  /** Where to write the next thing, which is then in one block. */
  public ByteWriter next() {
    if (bytes.size >= BLOCK) {
      endBlock();
    }
    return bytes;
  }

  private void endBlock() {
    sizes.add(bytes.size);
    file.append(bytes);
    bytes.clear();
  }

  void finish() {
    endBlock();
    bytes.number(sizes.size());
    sizes.forEach(bytes::number);
    int size = bytes.size;
    file.append(bytes);
    bytes.clear();
    file.append(bytes.fixed(size));
    file.flush();
  }

  /** Contents that were written. */
  public static final class Reader {
    private final IndexFile file;
    private final int[] sizes;
    private ByteCursor block;
    private int next;
    private long at;

    Reader(IndexFile file) {
      this.file = file;
      long end = file.size() - CHECK - CHECK;
      if (end < 0) {
        throw new DamagedIndexException("size=" + file.size());
      }
      int size = file.read(end, CHECK).fixed();
      long begin = end - CHECK - size;
      if (size < 0 || begin < 0) {
        throw new DamagedIndexException("size=" + file.size());
      }
      ByteCursor directory = file.read(begin, size);
      sizes = new int[directory.count()];
      long all = 0;
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = (int) directory.number();
        if (sizes[i] < 0) {
          throw new DamagedIndexException("block=%d size=%d".formatted(i, sizes[i]));
        }
        all += sizes[i] + CHECK;
      }
      if (all != begin) {
        throw new DamagedIndexException("size=%d blocks=%d".formatted(file.size(), all));
      }
      block = new ByteCursor(new byte[0], 0);
    }

    public ByteCursor next() {
      if (block.atEnd()) {
        if (next == sizes.length) {
          throw new DamagedIndexException("blocks=" + sizes.length);
        }
        block = file.read(at, sizes[next]);
        at += sizes[next++] + CHECK;
      }
      return block;
    }
  }
}
