package dev.kymo.importers.target;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts what happened by time; what happened at the same time stays in its order, except that a
 * longer call begins first. What does not fit into memory is kept in sorted runs in a temporary
 * file of the recording, which readers ignore.
 */
final class Sorter implements AutoCloseable {
  /** About 100 bytes each in memory. */
  private static final int MOST = 500_000;

  private static final int MOST_BYTES = 64 * 1024 * 1024;
  private static final int BUFFER = 64 * 1024;

  private static final Comparator<Happening> ORDER = Comparator.comparingLong(Happening::clock);

  private final Path directory;
  private final List<Happening> waiting = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();

  /** Runs that have more, the one with the earliest first. */
  private final PriorityQueue<Run> open =
      new PriorityQueue<>(
          Comparator.<Run, Happening>comparing(Run::head, ORDER).thenComparingInt(Run::number));

  private long bytes;
  private int fresh;

  interface Taker {
    void take(Happening what) throws IOException;
  }

  Sorter(Path directory) {
    this.directory = directory;
  }

  void add(Happening what) throws IOException {
    waiting.add(what);
    fresh++;
    bytes += what.data().length;
    if (waiting.size() == MOST || bytes >= MOST_BYTES) {
      spill();
    }
  }

  private void spill() throws IOException {
    waiting.sort(ORDER);
    Path file = directory.resolve(".sorted-" + runs.size());
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE_NEW), BUFFER))) {
      for (Happening what : waiting) {
        put(out, what);
      }
    }
    waiting.clear();
    bytes = 0;
    Run run = new Run(runs.size(), file);
    runs.add(run);
    run.advance();
    open.add(run);
  }

  private static void put(DataOutputStream out, Happening what) throws IOException {
    out.writeLong(what.clock());
    out.writeInt(what.track());
    out.writeByte(what.kindNumber());
    out.writeInt(what.id());
    out.writeLong(what.value());
    out.writeLong(what.end());
    out.writeInt(what.data().length);
    out.write(what.data());
  }

  /** How many were added since something was given. */
  int fresh() {
    return fresh;
  }

  /** Gives everything that is left in its order. */
  void giveAll(Taker taker) throws IOException {
    giveUpTo(Long.MAX_VALUE, taker);
  }

  /** Gives everything up to a time in its order; nothing of that time may come afterwards. */
  void giveUpTo(long clock, Taker taker) throws IOException {
    List<Happening> together = new ArrayList<>();
    merge(
        clock,
        what -> {
          boolean joins = what.isWholeCall();
          if (!together.isEmpty() && !(joins && together.get(0).clock() == what.clock())) {
            giveLongestFirst(together, taker);
          }
          if (joins) {
            together.add(what);
          } else {
            taker.take(what);
          }
        });
    giveLongestFirst(together, taker);
  }

  /** Whole calls that begin together: a long one has the shorter ones in it. */
  private static void giveLongestFirst(List<Happening> calls, Taker taker) throws IOException {
    calls.sort(Comparator.comparingLong(call -> -call.end()));
    for (Happening call : calls) {
      taker.take(call);
    }
    calls.clear();
  }

  private void merge(long upTo, Taker taker) throws IOException {
    fresh = 0;
    waiting.sort(ORDER);
    int at = 0;
    while (true) {
      Happening head = at < waiting.size() ? waiting.get(at) : null;
      Run run = open.peek();
      boolean fromRun = run != null && (head == null || ORDER.compare(head, run.head()) >= 0);
      Happening next = fromRun ? run.head() : head;
      if (next == null || next.clock() > upTo) {
        break;
      }
      if (fromRun) {
        open.remove();
        if (run.advance()) {
          open.add(run);
        }
      } else {
        at++;
        bytes -= next.data().length;
      }
      taker.take(next);
    }
    waiting.subList(0, at).clear();
  }

  /** A sorted part in a file. */
  private static final class Run {
    private final int number;
    private final Path file;
    private final DataInputStream in;
    private @Nullable Happening head;

    Run(int number, Path file) throws IOException {
      this.number = number;
      this.file = file;
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
    }

    int number() {
      return number;
    }

    Happening head() {
      Happening next = head;
      if (next == null) {
        throw new IllegalStateException("the run is at its end");
      }
      return next;
    }

    /** Reads the next one; false at the end. */
    boolean advance() throws IOException {
      int first = in.read();
      if (first < 0) {
        return false;
      }
      long clock = (long) first << 56;
      for (int shift = 48; shift >= 0; shift -= 8) {
        clock |= (long) in.readUnsignedByte() << shift;
      }
      int track = in.readInt();
      Happening.Kind kind = Happening.kind(in.readUnsignedByte());
      int id = in.readInt();
      long value = in.readLong();
      long end = in.readLong();
      byte[] data = in.readNBytes(in.readInt());
      head = new Happening(clock, track, kind, id, value, end, data);
      return true;
    }

    void close() throws IOException {
      in.close();
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() throws IOException {
    for (Run run : runs) {
      run.close();
    }
  }
}
