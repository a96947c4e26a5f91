package dev.kymo.server.export;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.index.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes files out of recordings, one at a time: each needs room on disk and reads a lot. Whoever
 * wants one asks again until it is ready; what nobody asks for any more is given up, and the file
 * is deleted once it is sent.
 */
public final class Exports implements AutoCloseable {
  private static final long WAIT_MILLIS = 250;
  private static final long LOOK_MILLIS = 50;

  private final long patienceNanos;
  private @Nullable Export current;

  /**
   * Nothing to make yet.
   *
   * @param patienceNanos after which a file nobody has asked for again is given up
   */
  public Exports(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /** Makes a file. */
  @FunctionalInterface
  interface Work {
    /** Writes into an empty directory; returns the file that is to be sent. */
    Path make(Path directory, ProgressListener progress) throws IOException;
  }

  /** What is done with the file. */
  @FunctionalInterface
  interface Use {
    void send(Path file) throws IOException;
  }

  /** Another file is being made. */
  static final class BusyException extends Exception {
    private static final long serialVersionUID = 1;
  }

  private final class Export implements ProgressListener {
    final String question;
    final CompletableFuture<Path> file = new CompletableFuture<>();
    volatile double share;
    private long lastAsked = System.nanoTime();
    private int users;
    private boolean used;
    private boolean closed;

    Export(String question) {
      this.question = question;
    }

    @Override
    public void progress(long done, long total) {
      share = total > 0 ? Math.min(1, (double) done / total) : 0;
      if (over()) {
        throw new CancellationException("nobody wants it any more");
      }
    }

    synchronized void use(boolean begins) {
      users += begins ? 1 : -1;
      used |= !begins;
      lastAsked = System.nanoTime();
    }

    /** The client has learned that there is no file. */
    synchronized void told() {
      used = true;
    }

    synchronized void asked() {
      lastAsked = System.nanoTime();
    }

    synchronized void close() {
      closed = true;
    }

    synchronized boolean over() {
      boolean forgotten = System.nanoTime() - lastAsked > patienceNanos;
      return closed || (users == 0 && (used || forgotten));
    }
  }

  /**
   * Asks for a file, maybe again.
   *
   * @param question the same for the same file
   * @return 1 if it was used, otherwise the share that is done
   * @throws BusyException while another file is made
   * @throws IOException if it cannot be made or used
   */
  double ask(String question, Work work, Use use)
      throws BusyException, IOException, InterruptedException {
    Export export = begin(question, work);
    Path file;
    try {
      file = export.file.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      export.asked();
      return Math.min(export.share, 0.999);
    } catch (CancellationException e) {
      return 0; // given up at the same moment: the next request starts again
    } catch (ExecutionException e) {
      export.told();
      throw failure(e.getCause());
    }
    export.use(true);
    try {
      use.send(file);
    } finally {
      export.use(false);
    }
    return 1;
  }

  private synchronized Export begin(String question, Work work) throws BusyException {
    Export export = current;
    if (export == null) {
      Export made = new Export(question);
      current = made;
      Thread.ofPlatform().daemon().name("kymo-export").start(() -> run(made, work));
      return made;
    }
    if (!export.question.equals(question)) {
      throw new BusyException();
    }
    export.asked();
    return export;
  }

  private static IOException failure(@Nullable Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    return cause instanceof IOException told ? told : new IOException(cause);
  }

  /** Makes the file and keeps it until it was sent, or nobody wants it. */
  private void run(Export export, Work work) {
    try (Scratch scratch = Scratch.make("export")) {
      try {
        export.file.complete(work.make(scratch.path(), export));
      } catch (CancellationException e) {
        export.file.cancel(false);
      } catch (Throwable e) { // the client gets even an OutOfMemoryError
        export.file.completeExceptionally(e);
      }
      while (!export.over() && !export.file.isCancelled()) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (IOException e) {
      export.file.completeExceptionally(e);
    } catch (InterruptedException e) {
      export.file.cancel(false); // nobody interrupts it
    } finally {
      synchronized (this) {
        current = null;
      }
    }
  }

  @Override
  public synchronized void close() {
    if (current != null) {
      current.close();
    }
  }
}
