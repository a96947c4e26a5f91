package dev.kymo.network.listen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Keeps what was received within its limits: complete recordings are removed, the oldest first.
 * What is still coming, or of which the rest may come, stays. Used by many threads: its own lock
 * guards its fields, and is taken before that of {@link Recordings}.
 */
final class Keeper implements AutoCloseable {
  /** Readers add an index to recordings, and time passes. */
  private static final long LOOK_SECONDS = 60;

  private static final String METADATA = "metadata";

  private final Recordings recordings;
  private final Retention limits;
  private final Consumer<String> log;
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("kymo keeper").factory());

  /** Bytes of all recordings, or more: what becomes shorter is noticed when there is no room. */
  private long used;

  private boolean isFull;

  /**
   * A recording that is here.
   *
   * @param complete whether nothing of it is to come
   * @param last when something of it came
   */
  private record Kept(UUID identity, Path path, long bytes, boolean complete, Instant last) {}

  private Keeper(Recordings recordings, Retention limits, Consumer<String> log) {
    this.recordings = recordings;
    this.limits = limits;
    this.log = log;
  }

  /** Removes what is too much or too old, now and from now on. */
  static Keeper start(Recordings recordings, Retention limits, Consumer<String> log) {
    Keeper keeper = new Keeper(recordings, limits, log);
    if (limits.isLimited()) {
      keeper.look();
      Future<?> _ =
          keeper.looks.scheduleWithFixedDelay(
              keeper::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }
    return keeper;
  }

  /** Most bytes of a recording. */
  long recordingBytes() {
    return limits.recordingBytes();
  }

  /**
   * Some more bytes are to be written.
   *
   * @throws IOException if there is no room for them, and none can be made now
   */
  synchronized void take(long bytes) throws IOException {
    if (bytes > limits.allBytes() - used) {
      clear(bytes);
      if (bytes > limits.allBytes() - used) {
        String why = "no room: being_received=%d most_bytes=%d".formatted(used, limits.allBytes());
        if (!isFull) {
          log.accept(why + "; nothing that is complete could give way, senders have to wait");
        }
        isFull = true;
        throw new IOException(why);
      }
    }
    isFull = false;
    used += bytes;
  }

  private synchronized void look() {
    try {
      clear(0);
    } catch (RuntimeException e) {
      log.accept("what was received cannot be looked at: error=\"" + e + '"');
    }
  }

  /** Removes what is too old, and the oldest until there is room for so much more. */
  private void clear(long more) {
    List<Kept> all = new ArrayList<>();
    recordings.all().forEach((identity, path) -> find(identity, path, all));
    long sum = all.stream().mapToLong(Kept::bytes).sum();
    List<Kept> complete =
        all.stream().filter(Kept::complete).sorted(Comparator.comparing(Kept::last)).toList();
    Instant oldest = limits.age().isZero() ? Instant.MIN : Instant.now().minus(limits.age());
    for (Kept each : complete) {
      boolean old = each.last.isBefore(oldest);
      if ((old || more > limits.allBytes() - sum) && remove(each, old)) {
        sum -= each.bytes;
      }
    }
    used = sum;
  }

  private void find(UUID identity, Path path, List<Kept> to) {
    try (Stream<Path> files = Files.walk(path)) {
      long bytes = 0;
      for (Path file : (Iterable<Path>) files::iterator) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          bytes += Files.size(file);
        }
      }
      boolean complete =
          Files.isRegularFile(path.resolve(METADATA), LinkOption.NOFOLLOW_LINKS)
              && !recordings.isComing(path);
      Instant last = Files.getLastModifiedTime(path.resolve(Recordings.RECEIVED)).toInstant();
      to.add(new Kept(identity, path, bytes, complete, last));
    } catch (IOException | java.io.UncheckedIOException e) {
      // somebody removes it just now; the next look will see
    }
  }

  private boolean remove(Kept what, boolean old) {
    try {
      if (!recordings.remove(what.identity, what.path)) {
        return false;
      }
      log.accept(
          "removed %s: bytes=%d, it was %s"
              .formatted(
                  what.path, what.bytes, old ? "too old" : "the oldest, and there is no room"));
      return true;
    } catch (IOException | java.io.UncheckedIOException e) {
      log.accept("not removed: path=%s error=\"%s\"".formatted(what.path, e.getMessage()));
      return false;
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
