package dev.kymo.recorder.drain;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.recorder.ProcFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All rings of one recorded process, and whether it still lives. */
final class ProcessDrain implements AutoCloseable {
  private final Path home;
  private final Path directory;
  private final UUID uuid;
  private final Segments segments;
  private final ByteBuffer control;
  private final int process;
  private final List<@Nullable RingDrain> rings = new ArrayList<>();
  private @Nullable CountsDrain counts;
  private int snapshots;
  private boolean stoppedEarly;

  private ProcessDrain(
      Path home, Path directory, UUID uuid, ByteBuffer control, int process, Segments segments) {
    this.segments = segments;
    this.home = home;
    this.directory = directory;
    this.uuid = uuid;
    this.control = control;
    this.process = process;
  }

  /** Opens the process that lives in a folder of the shared memory; null until it is ready. */
  static @Nullable ProcessDrain open(Path home, Path directory, UUID uuid, Segments segments)
      throws IOException {
    Path file = home.resolve("control");
    if (!Files.exists(file)) {
      return null;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer control =
          channel
              .map(FileChannel.MapMode.READ_WRITE, 0, ControlLayout.SIZE)
              .order(ByteOrder.LITTLE_ENDIAN);
      int process = Integer.parseInt(home.getFileName().toString().substring(1));
      return new ProcessDrain(home, directory, uuid, control, process, segments);
    }
  }

  int pid() {
    return control.getInt(ControlLayout.PID_OFFSET);
  }

  /**
   * Notes how far the rings are filled: {@link #take} takes all definitions (ring 0), then the
   * threads up to there. Returns whether any fills fast.
   */
  boolean look(long heartbeat) throws IOException {
    control.putLong(ControlLayout.HEARTBEAT_OFFSET, heartbeat);
    openNewRings();
    boolean crowded = false;
    for (RingDrain ring : rings) {
      if (ring != null) {
        crowded |= ring.look();
      }
    }
    return crowded;
  }

  /**
   * Takes closed packets; returns the bytes taken.
   *
   * @param everything whether to write what the open ones have as well, and the counters
   * @param clock now
   */
  long take(boolean everything, long clock) throws IOException {
    long bytes = 0;
    for (RingDrain ring : rings) {
      if (ring != null) {
        bytes += ring.take(everything);
      }
    }
    if (everything && counts != null) {
      bytes += counts.take(clock);
    }
    return bytes;
  }

  boolean flushWanted() {
    return flushesAsked() != control.getInt(ControlLayout.FLUSHED_OFFSET);
  }

  /** Flushes that the process has asked for. */
  int flushesAsked() {
    return control.getInt(ControlLayout.FLUSHES_OFFSET);
  }

  /** Says that all that was committed before so many were asked for is in the files. */
  void flushed(int asked) {
    control.putInt(ControlLayout.FLUSHED_OFFSET, asked);
  }

  /** Snapshots that the process has asked for and that were not taken yet. */
  int newSnapshots() {
    int asked = control.getInt(ControlLayout.SNAPSHOTS_OFFSET);
    int fresh = asked - snapshots;
    snapshots = asked;
    return fresh;
  }

  /** Takes everything there is; the process must have ended or stopped. */
  long finish(long clock) throws IOException {
    openNewRings();
    long bytes = 0;
    for (RingDrain ring : rings) {
      if (ring != null) {
        bytes += ring.finish();
      }
    }
    if (counts != null) {
      bytes += counts.finish(clock);
    }
    return bytes;
  }

  /**
   * Writes what the rings of a flight recorder have into a directory, and takes all definitions
   * that they need.
   */
  void copyRings(Path to) throws IOException {
    for (RingDrain ring : rings) {
      if (ring != null) {
        ring.copyTo(to);
      }
    }
    for (RingDrain ring : rings) {
      if (ring != null) {
        ring.take(false); // of a flight recorder these are the definitions only
      }
    }
  }

  /** A file is to be deleted: no ring is to use it any more. */
  void leave(Path expired) throws IOException {
    for (RingDrain ring : rings) {
      if (ring != null) {
        ring.leave(expired);
      }
    }
  }

  void requestStop() {
    control.putInt(ControlLayout.STOP_OFFSET, 1);
  }

  /** Ends the recording of a process that goes on. */
  void stopEarly() {
    stoppedEarly |= isAlive() && !saidEnded();
    requestStop();
  }

  void giveUp() {
    stopEarly();
    if (counts != null) {
      counts.giveUp();
    }
    for (RingDrain ring : rings) {
      if (ring != null) {
        ring.giveUp();
      }
    }
  }

  boolean isAlive() {
    long start = control.getLong(ControlLayout.START_TIME_OFFSET);
    return start != 0 && ProcFiles.startTime(Integer.toString(pid())) == start;
  }

  boolean saidEnded() {
    return control.getInt(ControlLayout.STATE_OFFSET) == ControlLayout.ENDED;
  }

  Definition.ProcessEnd end() {
    int how =
        isAlive() || stoppedEarly
            ? Definition.ProcessEnd.STOPPED
            : saidEnded() ? Definition.ProcessEnd.ENDED : Definition.ProcessEnd.KILLED;
    return new Definition.ProcessEnd(process, how, control.getLong(ControlLayout.LOST_OFFSET));
  }

  @Override
  public void close() throws IOException {
    for (RingDrain ring : rings) {
      if (ring != null) {
        ring.close();
      }
    }
    if (counts != null) {
      counts.close();
    }
  }

  private void openNewRings() throws IOException {
    if (counts == null) {
      counts = CountsDrain.open(home, directory, uuid, process);
    }
    int count = control.getInt(ControlLayout.RINGS_OFFSET);
    while (rings.size() < count) {
      rings.add(null);
    }
    for (int i = 0; i < rings.size(); i++) {
      if (rings.get(i) == null) {
        rings.set(
            i, RingDrain.open(home.resolve("ring-" + i), directory, uuid, process, i, segments));
      }
    }
  }
}
