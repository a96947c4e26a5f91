package dev.kymo.exporters.table;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sorts rows of numbers by their first number and, where that is the same, by the second. What does
 * not fit into memory waits in files beside the output: they need as much room as the rows, 8 bytes
 * a number.
 */
public final class SortedRows implements Closeable {
  private static final int ROWS = 1 << 18;
  private static final int BUFFER = 1 << 16;

  private final int width;
  private final int most;
  private final Path folder;
  private final String name;
  private final long[] rows;
  private final List<Path> files = new ArrayList<>();
  private int count;

  /** Takes rows in order; the array is used again. */
  @FunctionalInterface
  public interface Taker {
    void take(long[] row);
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
    this.rows = new long[width * most];
  }

  /** Takes a row. */
  public void add(long... row) {
    if (count == most) {
      spill();
    }
    System.arraycopy(row, 0, rows, count++ * width, width);
  }

  /** Indexes of the rows in memory, in order. */
  private int[] order() {
    boolean sorted = true;
    for (int i = 1; i < count && sorted; i++) {
      sorted = !isAfter(i - 1, i);
    }
    int[] order = new int[count];
    Arrays.setAll(order, i -> i);
    if (!sorted) {
      sort(order);
    }
    return order;
  }

  private boolean isAfter(int a, int b) {
    long first = rows[a * width];
    long other = rows[b * width];
    return first > other || (first == other && rows[a * width + 1] > rows[b * width + 1]);
  }

  /** A merge sort of indexes, without an object for each. */
  private void sort(int[] order) {
    int[] from = order.clone();
    int[] to = new int[order.length];
    for (int run = 1; run < order.length; run *= 2) {
      for (int begin = 0; begin < order.length; begin += 2 * run) {
        int middle = Math.min(begin + run, order.length);
        int end = Math.min(begin + 2 * run, order.length);
        merge(from, begin, middle, end, to);
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    System.arraycopy(from, 0, order, 0, order.length);
  }

  private void merge(int[] from, int begin, int middle, int end, int[] to) {
    int left = begin;
    int right = middle;
    for (int at = begin; at < end; at++) {
      boolean takeLeft = left < middle && (right == end || !isAfter(from[left], from[right]));
      to[at] = takeLeft ? from[left++] : from[right++];
    }
  }

  private void spill() {
    Path file = folder.resolve(name + files.size());
    files.add(file);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
      for (int row : order()) {
        for (int i = 0; i < width; i++) {
          out.writeLong(rows[row * width + i]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    count = 0;
  }

  /** A file of sorted rows at its next row. */
  private static final class Run implements Closeable {
    private final DataInputStream in;
    private final long[] row;
    private long left;

    Run(Path file, int width) throws IOException {
      this.left = Files.size(file) / (8L * width);
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
      this.row = new long[width];
    }

    boolean next() throws IOException {
      if (left == 0) {
        return false;
      }
      left--;
      for (int i = 0; i < row.length; i++) {
        row[i] = in.readLong();
      }
      return true;
    }

    long first() {
      return row[0];
    }

    long second() {
      return row[1];
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** Hands out all rows in order; once. */
  public void forEach(Taker taker) throws IOException {
    if (files.isEmpty()) {
      long[] row = new long[width];
      for (int index : order()) {
        System.arraycopy(rows, index * width, row, 0, width);
        taker.take(row);
      }
      return;
    }
    spill();
    merge(taker);
  }

  private void merge(Taker taker) throws IOException {
    List<Run> runs = new ArrayList<>();
    try {
      PriorityQueue<Run> next =
          new PriorityQueue<>(Comparator.comparingLong(Run::first).thenComparingLong(Run::second));
      for (Path file : files) {
        Run run = new Run(file, width);
        runs.add(run);
        if (run.next()) {
          next.add(run);
        }
      }
      for (Run first = next.poll(); first != null; first = next.poll()) {
        taker.take(first.row);
        if (first.next()) {
          next.add(first);
        }
      }
    } finally {
      for (Run run : runs) {
        run.close();
      }
    }
  }

  /** Removes the files. */
  @Override
  public void close() throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
