package dev.kymo.server;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.whole.WholeTotals;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/**
 * How long questions about a whole recording take, asked over HTTP as the viewer asks, by what is
 * kept with the index and without it; run by {@code testing/bench/whole}.
 */
final class WholeCost {
  private static final String[] QUESTIONS = {
    "summary?kind=calls", "tree?kind=calls&up=false", "tree?kind=calls&up=true"
  };

  private WholeCost() {}

  /** Arguments: recording, pattern to search, method name of a rare one. */
  public static void main(String[] arguments) throws Exception {
    Path path = Path.of(arguments[0]);
    double opened = seconds(() -> Timelines.open(path, (done, all) -> {}).close());
    System.out.printf("opened_s=%.2f%n", opened);
    try (Timeline timeline = Timelines.open(path, (done, all) -> {})) {
      ask("walk", timeline, arguments);
    }
    try (Timeline timeline = Timelines.open(path, (done, all) -> {})) {
      double made = seconds(() -> WholeTotals.prepare(timeline, new Progress()));
      System.out.printf("totals_made_s=%.2f%n", made);
    }
    for (String round : new String[] {"kept, cold", "kept, warm"}) {
      try (Timeline timeline = Timelines.open(path, (done, all) -> {})) {
        double read = seconds(() -> WholeTotals.prepare(timeline, new Progress()));
        System.out.printf("totals_read_s=%.2f%n", read);
        ask(round, timeline, arguments);
      }
    }
  }

  private static void ask(String how, Timeline timeline, String[] arguments) throws Exception {
    try (KymoServer server = KymoServer.start(timeline, 0);
        Asker asker = new Asker(server.uri())) {
      for (String question : QUESTIONS) {
        ask(how, asker, question);
      }
      ask(how, asker, "search?pattern=" + arguments[1]);
      ask(how, asker, "search?pattern=" + arguments[2]);
      ask(how, asker, "find?direction=next&time=0&pattern=" + arguments[2]);
      ask(how, asker, "find?direction=longest&pattern=" + arguments[1]);
    }
  }

  private static void ask(String how, Asker asker, String question) throws Exception {
    double took =
        seconds(() -> {
          HttpResponse<String> answer = asker.ask("api/" + question);
          if (answer.statusCode() != 200) {
            throw new IOException(question + ": " + answer.body());
          }
        });
    System.out.printf("%s: %s_s=%.3f%n", how, question, took);
  }

  private interface Step {
    void run() throws Exception;
  }

  private static double seconds(Step step) throws Exception {
    long begin = System.nanoTime();
    step.run();
    return (System.nanoTime() - begin) / 1e9;
  }
}
