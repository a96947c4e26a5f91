package dev.kymo.model.levels;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import dev.kymo.model.index.Contents;
import dev.kymo.model.index.IndexFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slices of all tracks at ever coarser resolutions, each level four times as coarse as the one
 * before. Calls are added to the finest level as they end; what is old enough there goes to its
 * file and on to the next level, where short calls merge into runs.
 *
 * <p>The finest level is given up as soon as it takes more than an eighth of the recording: then
 * the calls are so dense that few of them fill a window, and decoding those again is quick.
 *
 * <p>Written by one thread; others may read when it does not.
 */
public final class ZoomLevels implements AutoCloseable {
  /** Maximum number of levels: the coarsest has a slice for an hour. */
  static final int LEVELS = 18;

  private static final int FIRST_SHIFT = 10;
  private static final int CHUNK = 256;

  /** What a call takes in the recording. */
  private static final int BYTES_PER_CALL = 16;

  /** Level files smaller than this are never given up. */
  private static final long SMALL = 4 << 20;

  /** The files of levels. */
  @FunctionalInterface
  public interface Files {
    IndexFile get(int level) throws IOException;
  }

  private final Files source;
  private final long small;
  private long maxBuffered;
  private final @Nullable IndexFile[] files = new IndexFile[LEVELS];
  private final ByteWriter bytes = new ByteWriter();

  /** By track, depth, level. */
  private final List<@Nullable LevelRow[][]> tracks = new ArrayList<>();

  private int finest;
  private long buffered;
  private long calls;

  public ZoomLevels(Files source) {
    this(source, SMALL, 1_000_000);
  }

  /**
   * No slices yet.
   *
   * @param small bytes below which no level is given up
   * @param maxBuffered slices in memory, more or less
   */
  public ZoomLevels(Files source, long small, long maxBuffered) {
    this.source = source;
    this.small = small;
    this.maxBuffered = maxBuffered;
  }

  public static long resolution(int level) {
    return 1L << (FIRST_SHIFT + 2 * level);
  }

  /** From which duration on every call is there by itself. */
  public long resolution() {
    return resolution(finest);
  }

  public void add(int track, int depth, long begin, long end, long word, long children, long time) {
    calls++;
    LevelRow row = row(track, depth, finest);
    if (row.tail.add(begin, end, word, children, time)) {
      buffered++;
      if (row.tail.size > CHUNK) {
        flush(track, depth, finest);
        IndexFile file = files[finest];
        if (file != null && file.size() > Math.max(small, calls * BYTES_PER_CALL / 8)) {
          giveUpFinest();
        }
      } else if (buffered > maxBuffered) {
        makeRoom();
      }
    }
  }

  private LevelRow row(int track, int depth, int level) {
    while (track >= tracks.size()) {
      tracks.add(new LevelRow[0][]);
    }
    @Nullable LevelRow[][] depths = tracks.get(track);
    if (depth >= depths.length) {
      int from = depths.length;
      depths = Arrays.copyOf(depths, depth + 1);
      Arrays.fill(depths, from, depths.length, new LevelRow[0]);
      tracks.set(track, depths);
    }
    @Nullable LevelRow[] levels = depths[depth];
    if (level >= levels.length) {
      levels = Arrays.copyOf(levels, level + 1);
      depths[depth] = levels;
    }
    LevelRow row = levels[level];
    if (row == null) {
      row = new LevelRow(resolution(level));
      levels[level] = row;
    }
    return row;
  }

  /**
   * Writes a row's slices as a chunk, all but the last, which may still grow, and hands them on.
   */
  private void flush(int track, int depth, int level) {
    LevelRow row = row(track, depth, level);
    SliceRow tail = row.tail;
    int count = tail.size - 1;
    if (count < 1 || level == LEVELS - 1) {
      return;
    }
    bytes.clear();
    SliceCodec.write(tail, count, bytes);
    int size = bytes.size;
    row.add(file(level).append(bytes), size, tail.end(count - 1));
    handOn(tail, count, row(track, depth, level + 1).tail);
    tail.removeFirst(count);
    buffered -= count;
    if (row(track, depth, level + 1).tail.size > CHUNK) {
      flush(track, depth, level + 1);
    }
  }

  private void handOn(SliceRow from, int count, SliceRow to) {
    for (int i = 0; i < count; i++) {
      buffered += to.add(from, i) ? 1 : 0;
    }
  }

  private IndexFile file(int level) {
    IndexFile file = files[level];
    if (file == null) {
      try {
        file = source.get(level);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      files[level] = file;
    }
    return file;
  }

  /** Many rows with few slices each: the longest go to their files, then ever shorter ones. */
  private void makeRoom() {
    for (int least = 64; least >= 2 && buffered > maxBuffered / 2; least /= 4) {
      for (int track = 0; track < tracks.size(); track++) {
        for (int depth = 0; depth < tracks.get(track).length; depth++) {
          for (int level = finest; level < tracks.get(track)[depth].length; level++) {
            LevelRow row = tracks.get(track)[depth][level];
            if (row != null && row.tail.size >= least) {
              flush(track, depth, level);
              row.tail.trim();
            }
          }
        }
      }
    }
    maxBuffered = Math.max(maxBuffered, buffered * 2); // there are too many rows for that
  }

  private void giveUpFinest() {
    for (int track = 0; track < tracks.size(); track++) {
      for (int depth = 0; depth < tracks.get(track).length; depth++) {
        @Nullable LevelRow[] levels = tracks.get(track)[depth];
        LevelRow row = finest < levels.length ? levels[finest] : null;
        if (row != null) {
          handOn(row.tail, row.tail.size, row(track, depth, finest + 1).tail);
          buffered -= row.tail.size;
          tracks.get(track)[depth][finest] = null;
        }
      }
    }
    IndexFile file = files[finest];
    files[finest] = null;
    finest++;
    try {
      if (file != null) {
        file.delete();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes slices of a row. */
  @FunctionalInterface
  public interface Taker {
    void take(long[] data, int at);
  }

  public int depths(int track) {
    return track < tracks.size() ? tracks.get(track).length : 0;
  }

  /** The last slice of a row; null if it has none. It is never in a file. */
  public @Nullable SliceRow last(int track, int depth) {
    if (depth >= depths(track)) {
      return null;
    }
    @Nullable LevelRow[] levels = tracks.get(track)[depth];
    LevelRow row = finest < levels.length ? levels[finest] : null;
    return row == null || row.tail.size == 0 ? null : row.tail;
  }

  /**
   * Hands out the slices of a row that overlap a window (ends included), in order: every call that
   * takes at least the resolution, if that is not finer than the finest level, and runs of the
   * others.
   */
  public void read(int track, int depth, long from, long to, long resolution, Taker taker) {
    @Nullable LevelRow[] levels = tracks.get(track)[depth];
    int top = levels.length - 1;
    while (top > finest && (resolution(top) > resolution || levels[top] == null)) {
      top--;
    }
    boolean more = true;
    for (int level = top; level >= finest && more && level < levels.length; level--) {
      LevelRow row = levels[level];
      if (row == null) {
        continue;
      }
      if (level == top) {
        for (int i = row.firstEndingAt(from); i < row.chunks() && more; i++) {
          more =
              read(SliceCodec.read(file(level).read(row.offset(i), row.bytes(i))), from, to, taker);
        }
      }
      more = more && read(row.tail, from, to, taker);
    }
  }

  /** Whether what follows may also be in the window. */
  private static boolean read(SliceRow row, long from, long to, Taker taker) {
    for (int i = row.firstEndingAt(from); i < row.size; i++) {
      if (row.begin(i) > to) {
        return false;
      }
      taker.take(row.data, i * SliceRow.SLICE);
    }
    return true;
  }

  /** Everything that is not in the levels' files. */
  public void writeTo(Contents contents) {
    ByteWriter head = contents.next();
    for (IndexFile file : files) {
      head.number(file == null ? 0 : file.size());
    }
    head.number(finest).number(tracks.size());
    for (@Nullable LevelRow[][] depths : tracks) {
      contents.next().number(depths.length);
      for (@Nullable LevelRow[] levels : depths) {
        ByteWriter to = contents.next();
        to.number(levels.length);
        for (int level = finest; level < levels.length; level++) {
          write(levels[level], to);
        }
      }
    }
    for (IndexFile file : files) {
      if (file != null) {
        file.flush();
      }
    }
  }

  private static void write(@Nullable LevelRow row, ByteWriter to) {
    int chunks = row == null ? 0 : row.chunks();
    to.number(chunks);
    long offset = 0;
    long end = 0;
    for (int i = 0; row != null && i < chunks; i++) {
      to.number(row.offset(i) - offset).number(row.bytes(i)).signed(row.end(i) - end);
      offset = row.offset(i);
      end = row.end(i);
    }
    SliceRow tail = row == null ? new SliceRow() : row.tail;
    SliceCodec.write(tail, tail.size, to);
  }

  /** Takes what {@link #writeTo} wrote, and files of which it says that they are there. */
  public void readFrom(Contents.Reader contents, Files existing) throws IOException {
    ByteCursor head = contents.next();
    for (int level = 0; level < LEVELS; level++) {
      long size = head.number();
      if (size > 0) {
        IndexFile file = existing.get(level);
        file.expect(size);
        files[level] = file;
      }
    }
    finest = Math.clamp(head.number(), 0, LEVELS - 1);
    long count = head.number();
    for (int track = 0; track < count; track++) {
      int depths = (int) contents.next().number();
      tracks.add(new LevelRow[depths][]);
      for (int depth = 0; depth < depths; depth++) {
        ByteCursor from = contents.next();
        int levels = (int) from.number();
        tracks.get(track)[depth] = new LevelRow[levels];
        for (int level = finest; level < levels; level++) {
          tracks.get(track)[depth][level] = readRow(from, level);
        }
      }
    }
  }

  private static LevelRow readRow(ByteCursor from, int level) {
    LevelRow row = new LevelRow(resolution(level));
    int chunks = from.count();
    long offset = 0;
    long end = 0;
    for (int i = 0; i < chunks; i++) {
      offset += from.number();
      int bytes = (int) from.number();
      end += from.signed();
      row.add(offset, bytes, end);
    }
    SliceRow tail = SliceCodec.read(from);
    row.tail.data = tail.data;
    row.tail.size = tail.size;
    return row;
  }

  @Override
  public void close() throws IOException {
    for (IndexFile file : files) {
      if (file != null) {
        file.close();
      }
    }
  }
}
