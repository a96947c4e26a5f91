package dev.kymo.cli.view;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.server.KymoServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows recordings anew whenever a file is saved that says what to show of them, or when another
 * recording has come. If that fails, what was shown stays, and readers are told why.
 */
final class ShowAnew implements AutoCloseable {
  private static final long POLL_MILLIS = 250;

  /** Answers about what was shown before are finished or given up by then. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final List<Path> files;
  private final Come come;
  private final Maker maker;
  private final Terminal terminal;
  private final Deque<Retired> retired = new ArrayDeque<>();
  private @Nullable Thread thread;

  /** What is shown now; of the thread, until it has ended. */
  private ShownRecordings shown;

  /** Recordings that are there and not shown, but could be. */
  interface Come {
    /** What has come. */
    List<Path> paths() throws IOException;
  }

  interface Maker {
    ShownRecordings make() throws IOException;
  }

  private record Retired(ShownRecordings shown, long at) {}

  /** How the files are; null = one of them is missing, as while an editor replaces it. */
  private record Stamp(List<Object> marks) {
    static @Nullable Stamp of(List<Path> files) {
      try {
        List<Object> marks = new ArrayList<>();
        for (Path file : files) {
          BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
          marks.add(List.of(now.lastModifiedTime(), now.size()));
        }
        return new Stamp(marks);
      } catch (IOException e) {
        return null;
      }
    }
  }

  /**
   * Nothing is watched yet.
   *
   * @param files none = only recordings that come are a reason
   * @param shown what is shown now, made of the files as they are; closed with this
   */
  ShowAnew(List<Path> files, Come come, ShownRecordings shown, Maker maker, Terminal terminal) {
    this.files = files;
    this.come = come;
    this.shown = shown;
    this.maker = maker;
    this.terminal = terminal;
  }

  /** Watches from now on. */
  void start(KymoServer server) {
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("kymo-show-anew")
            .start(() -> watch(server, Stamp.of(files)));
  }

  private void watch(KymoServer server, @Nullable Stamp begin) {
    try {
      Stamp used = begin;
      Stamp last = begin;
      List<Path> tried = List.of();
      List<Path> cameLast = List.of();
      while (true) {
        Thread.sleep(POLL_MILLIS);
        closeRetired(GRACE_NANOS);
        Stamp now = Stamp.of(files);
        List<Path> came = come();
        // What is still being made is read when it has stayed as it is for a while.
        if (now != null && now.equals(last) && !now.equals(used)) {
          used = now;
          renew(server, "A script was saved: reading the recording with it.");
        } else if (!came.isEmpty() && came.equals(cameLast) && !came.equals(tried)) {
          tried = came;
          renew(server, "Another recording has come: reading it.");
        }
        last = now;
        cameLast = came;
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private List<Path> come() {
    try {
      return come.paths();
    } catch (IOException e) {
      return List.of(); // their directory is gone
    }
  }

  private void renew(KymoServer server, String why) {
    server.say(why);
    try {
      ShownRecordings next = maker.make();
      int places = shown.timelines().size();
      if (next.timelines().size() != places) {
        next.close();
        throw new IOException(
            "Another recording has come that cannot be on the axis of those that are shown: end this and begin again to see it.");
      }
      retired.add(new Retired(shown, System.nanoTime()));
      shown = next;
      for (int i = 0; i < places; i++) {
        server.renew(i, next.timelines().get(i));
      }
    } catch (IOException | RuntimeException e) {
      String said = String.valueOf(e.getMessage());
      server.say(said);
      terminal.warn(said);
    }
  }

  private void closeRetired(long graceNanos) {
    while (!retired.isEmpty() && System.nanoTime() - retired.peek().at() >= graceNanos) {
      close(retired.remove().shown());
    }
  }

  private void close(ShownRecordings old) {
    try {
      old.close();
    } catch (IOException e) {
      terminal.warn("temporary files could not be removed: reason=\"" + e.getMessage() + "\"");
    }
  }

  /** Ends it, with what is shown; after the server. */
  @Override
  public void close() {
    Thread started = thread;
    if (started != null) {
      started.interrupt();
      try {
        started.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    closeRetired(0);
    close(shown);
  }
}
