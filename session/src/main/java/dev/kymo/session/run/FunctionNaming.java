package dev.kymo.session.run;

import dev.kymo.reader.RecordingException;
import dev.kymo.symbols.FunctionNames;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Names native functions during a recording, in a separate thread. */
final class FunctionNaming {
  private static final long PERIOD_SECONDS = 1;

  private final Path recording;
  private final Consumer<String> complaints;
  private final CountDownLatch ending = new CountDownLatch(1);
  private volatile @Nullable FunctionNames names;
  private final Thread thread = Thread.ofPlatform().name("kymo names").unstarted(this::run);

  /**
   * Names functions of a recording whose metadata is there.
   *
   * @param complaints takes a sentence if that fails
   */
  FunctionNaming(Path recording, Consumer<String> complaints) {
    this.recording = recording;
    this.complaints = complaints;
  }

  void start() {
    thread.start();
  }

  /** Names the last functions, which are now in the recording. */
  void finish() {
    ending.countDown();
    FunctionNames working = names;
    if (working != null) {
      working.hurry();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (FunctionNames follower = FunctionNames.follow(recording)) {
      names = follower;
      boolean last;
      do {
        last = ending.await(PERIOD_SECONDS, TimeUnit.SECONDS);
        if (last) {
          follower.hurry();
        }
        follower.goOn();
      } while (!last);
    } catch (RecordingException | NoSuchFileException e) {
      // The recording is gone or was never created: its writer reports that.
    } catch (IOException e) {
      complaints.accept(
          "native functions have only the names that their processes knew: error=\"%s\""
              .formatted(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
