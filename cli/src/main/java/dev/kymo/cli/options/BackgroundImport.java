package dev.kymo.cli.options;

import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.ImportProgress;
import dev.kymo.model.timeline.Writing;
import dev.kymo.symbols.FunctionNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Imports another tracer's file in a thread of its own. The recording can be opened and followed as
 * soon as {@link #awaitFirst} returns true.
 */
public final class BackgroundImport implements Writing, AutoCloseable {
  /** A thread that looks names up cannot be interrupted: whoever closes does not wait for it. */
  private static final long PATIENCE_MILLIS = 2_000;

  private final ForeignFormat format;
  private final ForeignFile file;
  private final Path recording;
  private final ImportProgress progress;
  private final Consumer<String> complaints;

  /** At 0 there is something to be seen, or the import has ended. */
  private final CountDownLatch first = new CountDownLatch(1);

  private final Thread thread = Thread.ofPlatform().name("import").daemon().unstarted(this::run);
  private @Nullable FunctionNames names;
  private volatile boolean visible;
  private volatile double share;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  private BackgroundImport(
      ForeignFormat format,
      ForeignFile file,
      Path recording,
      ImportProgress progress,
      Consumer<String> complaints) {
    this.format = format;
    this.file = file;
    this.recording = recording;
    this.progress = progress;
    this.complaints = complaints;
  }

  /**
   * Begins.
   *
   * @param recording an empty directory
   * @param progress is told how far it is until there is something to be seen
   * @param complaints takes a sentence if the import fails after something could be seen
   */
  static BackgroundImport start(
      ForeignFormat format,
      ForeignFile file,
      Path recording,
      ImportProgress progress,
      Consumer<String> complaints) {
    BackgroundImport begun = new BackgroundImport(format, file, recording, progress, complaints);
    begun.thread.start();
    return begun;
  }

  public Path recording() {
    return recording;
  }

  /**
   * Waits until there is something to be seen.
   *
   * @return false if everything was imported before anything had to be shown
   * @throws IOException if the file was refused before there was anything to be seen
   */
  public boolean awaitFirst() throws IOException, InterruptedException {
    first.await();
    if (!visible) {
      switch (failure) {
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> {} // all was imported
      }
    }
    return visible;
  }

  private void run() {
    try {
      convert();
    } catch (IOException | RuntimeException | Error e) {
      if (!closed) {
        failure = e;
      }
    }
    if (visible && failure != null) {
      complaints.accept(trouble());
    }
    share = 1;
    first.countDown();
  }

  private void convert() throws IOException {
    try {
      format.convert(file, new Import(recording, this::at, this::grown));
    } finally {
      FunctionNames open = names;
      if (open != null) {
        open.close();
      }
    }
  }

  private void at(long done, long all) {
    checkNotClosed();
    share = Math.min(0.999, (double) done / Math.max(1, all));
    if (!visible) {
      progress.at(done, all);
    }
  }

  private void grown(boolean all) throws IOException {
    checkNotClosed();
    if (format.hasAddresses()) {
      nameFunctions();
    }
    if (!all && !visible) {
      progress.at(1, 1); // whoever sees the recording sees how far it is
      visible = true;
      first.countDown();
    }
  }

  private void nameFunctions() throws IOException {
    FunctionNames open = names;
    if (open == null) {
      open = FunctionNames.follow(recording);
      names = open;
    }
    open.goOn();
  }

  private void checkNotClosed() {
    if (closed) {
      throw new CancellationException("closed");
    }
  }

  @Override
  public double share() {
    return share;
  }

  @Override
  public String trouble() {
    Throwable why = failure;
    return why == null
        ? ""
        : "the import has ended early, what was read before is shown: "
            + (why instanceof IOException ? why.getMessage() : "this is a fault of Kymo: " + why);
  }

  /** Gives up what is not imported yet. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
