package dev.kymo.exporters.table;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts rows of numbers by their first number and, where that is the same, by the second. What does
 * not fit into memory waits in files beside the output: they need as much room as the rows, 8 bytes
 * a number. Rows that are nearly in order take less time.
 */
public final class SortedRows implements Closeable {
  private static final int ROWS = 1 << 18;
  private static final int FIRST = 1 << 10;
  private static final int BUFFER = 1 << 16;

  private final int width;
  private final int most;
  private final Path folder;
  private final String name;
  private final List<Run> runs = new ArrayList<>();
  private long[] rows;
  private int count;

  /** Takes rows in order; the array is used again. */
  @FunctionalInterface
  public interface Taker {
    void take(long[] row);
  }

  /** Goes through rows in order. */
  public interface Cursor {
    /** Goes to the next row; returns whether there is one. */
    boolean next();

    /** The row; the array is used again. */
    long[] row();
  }

  /**
   * No rows yet.
   *
   * @param width numbers of a row
   * @param folder where files may wait
   * @param name of these files, to which a number is added
   */
  public SortedRows(int width, Path folder, String name) {
    this(width, folder, name, ROWS);
  }

  SortedRows(int width, Path folder, String name, int most) {
    this.width = width;
    this.most = most;
    this.folder = folder;
    this.name = name;
    this.rows = new long[width * Math.min(most, FIRST)];
  }

  public void add(long... row) {
    if (count == most) {
      spill();
    }
    if (count * width == rows.length) {
      rows = Arrays.copyOf(rows, Math.min(most * width, 2 * rows.length));
    }
    System.arraycopy(row, 0, rows, count++ * width, width);
  }

  /** Indexes of the rows in memory, in order. */
  private int[] order() {
    int[] order = new int[count];
    Arrays.setAll(order, i -> i);
    int[] from = order;
    int[] to = order.clone();
    for (int run = 1; run < count; run *= 2) {
      for (int begin = 0; begin < count; begin += 2 * run) {
        int middle = Math.min(begin + run, count);
        int end = Math.min(begin + 2 * run, count);
        merge(from, begin, middle, end, to);
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /** Merges two sorted pieces; most often one ends before the other begins. */
  private void merge(int[] from, int begin, int middle, int end, int[] to) {
    if (middle == end || !isAfter(from[middle - 1], from[middle])) {
      System.arraycopy(from, begin, to, begin, end - begin);
      return;
    }
    int left = begin;
    int right = middle;
    for (int at = begin; at < end; at++) {
      boolean takeLeft = left < middle && (right == end || !isAfter(from[left], from[right]));
      to[at] = takeLeft ? from[left++] : from[right++];
    }
  }

  private boolean isAfter(int a, int b) {
    long first = rows[a * width];
    long other = rows[b * width];
    return first > other || (first == other && rows[a * width + 1] > rows[b * width + 1]);
  }

  private void spill() {
    try {
      Run run = new Run(folder.resolve(name + runs.size()), width);
      runs.add(run);
      for (int row : order()) {
        run.write(rows, row * width);
      }
      run.written();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    count = 0;
  }

  /** A file of sorted rows. */
  private static final class Run implements Closeable {
    private final Path file;
    private final FileChannel channel;
    private final long[] row;
    private ByteBuffer bytes;
    private LongBuffer numbers;
    private long left;

    Run(Path file, int width) throws IOException {
      this.file = file;
      this.channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      this.row = new long[width];
      this.bytes = room(width);
      this.numbers = bytes.asLongBuffer();
    }

    private static ByteBuffer room(int width) {
      int rows = Math.max(1, BUFFER / 8 / width);
      return ByteBuffer.allocate(rows * 8 * width).order(ByteOrder.nativeOrder());
    }

    void write(long[] from, int at) throws IOException {
      if (!numbers.hasRemaining()) {
        flush();
      }
      numbers.put(from, at, row.length);
      left++;
    }

    private void flush() throws IOException {
      bytes.clear().limit(numbers.position() * 8);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      numbers.clear();
    }

    /** All rows are written; memory for reading comes when they are read. */
    void written() throws IOException {
      flush();
      bytes = ByteBuffer.allocate(0);
      numbers = bytes.asLongBuffer();
    }

    void rewind() throws IOException {
      channel.position(0);
      bytes = room(row.length);
      numbers = bytes.asLongBuffer().limit(0);
    }

    boolean next() throws IOException {
      if (left == 0) {
        return false;
      }
      if (!numbers.hasRemaining()) {
        fill();
      }
      left--;
      numbers.get(row);
      return true;
    }

    private void fill() throws IOException {
      bytes.clear().limit((int) Math.min(bytes.capacity(), left * row.length * 8));
      while (bytes.hasRemaining()) {
        if (channel.read(bytes) < 0) {
          throw new EOFException("rows are missing: file=" + file);
        }
      }
      numbers = bytes.flip().asLongBuffer();
    }

    long first() {
      return row[0];
    }

    long second() {
      return row[1];
    }

    boolean isBefore(Run other) {
      return row[0] < other.row[0] || (row[0] == other.row[0] && row[1] < other.row[1]);
    }

    @Override
    public void close() throws IOException {
      channel.close();
      Files.deleteIfExists(file);
    }
  }

  /** Hands out all rows in order; once. */
  public void forEach(Taker taker) throws IOException {
    Cursor cursor = sorted();
    while (cursor.next()) {
      taker.take(cursor.row());
    }
  }

  /** All rows in order; once, and until this is closed. */
  public Cursor sorted() throws IOException {
    if (runs.isEmpty()) {
      return new InMemory();
    }
    spill();
    rows = new long[0];
    for (Run run : runs) {
      run.rewind();
    }
    return new Merged(runs);
  }

  /** Rows that were never written. */
  private final class InMemory implements Cursor {
    private final int[] order = order();
    private final long[] row = new long[width];
    private int at;

    @Override
    public boolean next() {
      if (at == order.length) {
        return false;
      }
      System.arraycopy(rows, order[at++] * width, row, 0, width);
      return true;
    }

    @Override
    public long[] row() {
      return row;
    }
  }

  /** Rows of several files. Most often the next one is of the same file. */
  private static final class Merged implements Cursor {
    private final PriorityQueue<Run> others =
        new PriorityQueue<>(Comparator.comparingLong(Run::first).thenComparingLong(Run::second));
    private @Nullable Run current;

    Merged(List<Run> runs) throws IOException {
      for (Run run : runs) {
        if (run.next()) {
          others.add(run);
        }
      }
    }

    @Override
    public boolean next() {
      Run before = current;
      try {
        if (before == null || !before.next()) {
          current = others.poll();
          return current != null;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Run other = others.peek();
      if (other != null && other.isBefore(before)) {
        others.poll();
        others.add(before);
        current = other;
      }
      return true;
    }

    @Override
    public long[] row() {
      return Objects.requireNonNull(current, "no row").row;
    }
  }

  /** Removes the files. */
  @Override
  public void close() throws IOException {
    for (Run run : runs) {
      run.close();
    }
  }
}
