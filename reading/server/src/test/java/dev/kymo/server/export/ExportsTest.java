package dev.kymo.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ExportsTest {
  private static final long LONG = TimeUnit.MINUTES.toNanos(10);

  private static final Exports.Work SMALL =
      (folder, progress) -> Files.writeString(folder.resolve("x"), "text");

  private static final Exports.Use NO_USE = file -> {};

  @Test
  void makesAFileSendsItAndRemovesIt() throws Exception {
    CompletableFuture<Path> made = new CompletableFuture<>();
    AtomicReference<String> sent = new AtomicReference<>("");
    try (Exports exports = new Exports(LONG)) {
      Exports.Use use =
          file -> {
            made.complete(file);
            sent.set(Files.readString(file));
          };
      while (exports.ask("a", SMALL, use) < 1) {
        assertThat(sent.get()).isEmpty();
      }
      assertThat(sent.get()).isEqualTo("text");
      untilGone(made.get(600, TimeUnit.SECONDS));
    }
  }

  @Test
  void makesOneAtATimeAndTellsHowFarItIs() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (Exports exports = new Exports(LONG)) {
      Exports.Work slow =
          (folder, progress) -> {
            progress.progress(1, 4);
            await(go);
            return Files.writeString(folder.resolve("x"), "slow");
          };
      while (exports.ask("a", slow, NO_USE) < 0.25) {
        assertThat(go.getCount()).isOne();
      }
      assertThatThrownBy(() -> exports.ask("b", SMALL, NO_USE))
          .isInstanceOf(Exports.BusyException.class);
      go.countDown();
      while (exports.ask("a", slow, NO_USE) < 1) {
        Thread.onSpinWait();
      }
      untilFree(exports);
    }
  }

  @Test
  void givesUpWhatNobodyAsksForAnyMore() throws Exception {
    CompletableFuture<Path> gone = new CompletableFuture<>();
    try (Exports exports = new Exports(TimeUnit.MILLISECONDS.toNanos(50))) {
      Exports.Work endless =
          (folder, progress) -> {
            try {
              while (true) {
                progress.progress(0, 1);
                Thread.onSpinWait();
              }
            } finally {
              gone.complete(folder);
            }
          };
      exports.ask("a", endless, NO_USE);
      untilGone(gone.get(600, TimeUnit.SECONDS));
      untilFree(exports);
    }
  }

  @Test
  void tellsWhyAFileCannotBeMade() throws Exception {
    try (Exports exports = new Exports(LONG)) {
      Exports.Work failing =
          (folder, progress) -> {
            throw new IOException("no room");
          };
      assertThatThrownBy(
              () -> {
                while (exports.ask("a", failing, NO_USE) < 1) {
                  Thread.onSpinWait();
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessage("no room");
      untilFree(exports);
    }
  }

  /** Asks for another file until the one before is over. */
  private static void untilFree(Exports exports) throws Exception {
    while (true) {
      try {
        if (exports.ask("free", SMALL, NO_USE) == 1) {
          return;
        }
      } catch (Exports.BusyException e) {
        Thread.onSpinWait();
      }
    }
  }

  private static void untilGone(Path file) throws InterruptedException {
    while (Files.exists(file)) {
      Thread.sleep(5);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
