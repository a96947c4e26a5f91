package dev.kymo.query.worker;

import dev.kymo.analysis.selection.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers one question after the other in a process of its own, so that {@link Worker}, which
 * started it, can end any of them for certain. Lines go both ways; a text has no end of a line:
 *
 * <pre>
 *   ready                 at the begin
 *   ask NUMBER TEXT       from the worker
 *   cancel NUMBER         likewise
 *   progress NUMBER SHARE at times; 0 to 1
 *   answer NUMBER TEXT    to "ask"
 *   stopped NUMBER        in place of an answer, after "cancel"
 * </pre>
 */
public final class WorkerLoop {
  private static final long PROGRESS_MILLIS = 100;

  private final Answerer answerer;
  private final OutputStream out;
  private final Map<String, Progress> asked = new ConcurrentHashMap<>();

  private WorkerLoop(Answerer answerer, OutputStream out) {
    this.answerer = answerer;
    this.out = out;
  }

  /** Knows the answers. */
  @FunctionalInterface
  public interface Answerer {
    /**
     * Answers; all questions are asked by the same thread.
     *
     * @param progress says whether the answer is still wanted
     * @return a line
     * @throws CancellationException if it was not wanted any more
     */
    String answer(String question, Progress progress);
  }

  /** Answers until nobody asks any more; a question may still be worked on then. */
  public static void run(InputStream in, OutputStream out, Answerer answerer) throws IOException {
    new WorkerLoop(answerer, out).run(in);
  }

  private void run(InputStream in) throws IOException {
    ExecutorService answering =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("kymo answers").factory());
    write("ready");
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", 3);
      String number = words[1];
      if (words[0].equals("cancel")) {
        Progress known = asked.get(number);
        if (known != null) {
          known.giveUp();
        }
      } else {
        Progress progress = new Progress();
        asked.put(number, progress);
        answering.execute(() -> answer(number, words[2], progress));
      }
    }
    asked.values().forEach(Progress::giveUp);
  }

  private void answer(String number, String question, Progress progress) {
    Thread telling = Thread.ofVirtual().start(() -> tell(number, progress));
    String answer;
    try {
      progress.check();
      answer = "answer %s %s".formatted(number, answerer.answer(question, progress));
    } catch (CancellationException e) {
      answer = "stopped " + number;
    }
    telling.interrupt();
    asked.remove(number);
    write(answer);
  }

  private void tell(String number, Progress progress) {
    try {
      double told = 0;
      while (true) {
        Thread.sleep(PROGRESS_MILLIS);
        double share = progress.share();
        if (share != told) {
          told = share;
          write("progress %s %s".formatted(number, share));
        }
      }
    } catch (InterruptedException e) {
      // answered
    }
  }

  private synchronized void write(String line) {
    try {
      out.write((line + '\n').getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      // Nobody is there any more.
    }
  }
}
