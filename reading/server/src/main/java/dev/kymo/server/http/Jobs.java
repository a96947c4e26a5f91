package dev.kymo.server.http;

import dev.kymo.analysis.selection.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Works on questions that take time. A client waits a moment for the answer and then asks again;
 * what nobody asks for any more is given up. Of each {@link Kind} two are worked on at once, and
 * the newest question starts first: it is what the user of the browser is looking at now.
 */
public final class Jobs implements AutoCloseable {
  private static final int AT_ONCE = 2;
  private static final long WAIT_MILLIS = 250;
  private static final long SWEEP_MILLIS = 500;

  private final long patienceNanos;
  private final FinishedAnswers finished = new FinishedAnswers();
  private final Map<String, Job> jobs = new HashMap<>();
  private final Map<Kind, Lane> lanes = new EnumMap<>(Kind.class);
  private final Thread sweeper;

  /**
   * Nothing to do yet.
   *
   * @param patienceNanos after which a question nobody has asked again is given up
   */
  public Jobs(long patienceNanos) {
    this.patienceNanos = patienceNanos;
    sweeper = Thread.ofVirtual().name("kymo-jobs").start(this::sweepForEver);
  }

  /** Questions of one kind do not wait for those of another. */
  public enum Kind {
    /** Sums and lists, which may read all calls. */
    TABLE,
    /** Somebody types and waits: slow tables must not delay the answer. */
    SEARCH,
    /** Questions in SQL, which may take any time. */
    SQL
  }

  /** Questions of one kind; used with the lock held. */
  private static final class Lane {
    final Deque<Job> waiting = new ArrayDeque<>();
    int running;
  }

  /** Finds an answer. */
  @FunctionalInterface
  public interface Work {
    Answers.Body answer(Progress progress);
  }

  /** The answer, or how far it has come. */
  @SuppressWarnings("ArrayRecordComponent") // bytes to be sent, not a value
  public record Reply(byte @Nullable [] answer, double progress) {}

  private static final class Job {
    final String question;
    final long duration;
    final Lane lane;
    final Work work;
    final Progress progress = new Progress();
    final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    volatile long lastAsked;

    Job(String question, long duration, Lane lane, Work work) {
      this.question = question;
      this.duration = duration;
      this.lane = lane;
      this.work = work;
    }
  }

  /**
   * Asks, maybe again.
   *
   * @param question the same for the same question about the same recording
   * @param duration of the recording now; an answer about a shorter one soon expires
   * @throws RuntimeException with which the work ended
   */
  public Reply ask(String question, long duration, Kind kind, Work work)
      throws InterruptedException {
    Job job;
    synchronized (this) {
      byte[] known = finished.get(question, duration);
      if (known != null) {
        return new Reply(known, 1);
      }
      job = jobs.get(question);
      if (job == null) {
        job = new Job(question, duration, lane(kind), work);
        jobs.put(question, job);
        job.lane.waiting.push(job);
      }
      job.lastAsked = System.nanoTime();
      startWaiting(job.lane);
    }
    return await(job);
  }

  private Lane lane(Kind kind) {
    return lanes.computeIfAbsent(kind, k -> new Lane());
  }

  private Reply await(Job job) throws InterruptedException {
    try {
      byte[] answer = job.answer.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
      forget(job);
      return new Reply(answer, 1);
    } catch (CancellationException e) {
      forget(job); // given up at the same moment: the next request starts again
      return new Reply(null, 0);
    } catch (TimeoutException e) {
      job.lastAsked = System.nanoTime();
      return new Reply(null, job.progress.share());
    } catch (ExecutionException e) {
      forget(job);
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private synchronized void forget(Job job) {
    jobs.remove(job.question, job);
  }

  /** Must hold the lock. */
  private void startWaiting(Lane lane) {
    while (lane.running < AT_ONCE && !lane.waiting.isEmpty()) {
      Job job = lane.waiting.pop();
      lane.running++;
      Thread.ofPlatform().daemon().name("kymo-job").start(() -> run(job));
    }
  }

  private void run(Job job) {
    try {
      byte[] answer = Answers.bytes(job.work.answer(job.progress));
      synchronized (this) {
        finished.put(job.question, job.duration, answer);
      }
      job.answer.complete(answer);
    } catch (CancellationException e) {
      job.answer.cancel(false);
    } catch (Throwable e) { // the client gets even an OutOfMemoryError
      job.answer.completeExceptionally(e);
    } finally {
      synchronized (this) {
        job.lane.running--;
        startWaiting(job.lane);
      }
    }
  }

  private void sweepForEver() {
    try {
      while (true) {
        Thread.sleep(SWEEP_MILLIS);
        sweep();
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private synchronized void sweep() {
    long now = System.nanoTime();
    for (Job job : new ArrayList<>(jobs.values())) {
      if (now - job.lastAsked > patienceNanos) {
        giveUp(job);
      }
    }
  }

  private void giveUp(Job job) {
    job.progress.giveUp();
    job.lane.waiting.remove(job);
    jobs.remove(job.question, job);
  }

  @Override
  public void close() {
    sweeper.interrupt();
    synchronized (this) {
      new ArrayList<>(jobs.values()).forEach(this::giveUp);
    }
  }
}
