package dev.kymo.server;

import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * How long a recording takes to open, and its windows to be answered, asked over HTTP as the viewer
 * asks; run by {@code testing/bench/windows}. Windows lie anywhere and are between 1300 ns (a pixel
 * is a nanosecond) and the whole recording long, each power of ten as often.
 */
final class WindowCost {
  private static final int PIXELS = 1300;
  private static final int TRACKS = 16;

  private WindowCost() {}

  /** Arguments: recording, number of windows. */
  public static void main(String[] arguments) throws Exception {
    long begin = System.nanoTime();
    try (Timeline timeline = Timelines.open(Path.of(arguments[0]), (done, all) -> {});
        KymoServer server = KymoServer.start(timeline, 0);
        HttpClient client = HttpClient.newHttpClient()) {
      double opened = (System.nanoTime() - begin) / 1e9;
      long events = timeline.tracks().stream().mapToLong(Track::events).sum();
      System.out.printf(
          "%s: events=%d opened_s=%.3f million_events_per_s=%.1f%n",
          timeline.name(), events, opened, events / opened / 1e6);
      SplittableRandom random = new SplittableRandom(1);
      int count = Integer.parseInt(arguments[1]);
      String cookie = Asker.follow(client, server.uri());
      ask(timeline, server.uri(), client, cookie, random, count); // warms up
      report("windows", ask(timeline, server.uri(), client, cookie, random, count));
      System.out.println("resident_MB=" + resident());
    }
  }

  private static double[] ask(
      Timeline timeline,
      URI server,
      HttpClient client,
      String cookie,
      SplittableRandom random,
      int count)
      throws IOException, InterruptedException {
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      URI question = server.resolve("api/window?" + window(timeline, random));
      HttpRequest request = HttpRequest.newBuilder(question).header("Cookie", cookie).build();
      long begin = System.nanoTime();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      millis[i] = (System.nanoTime() - begin) / 1e6;
      if (answer.statusCode() != 200) {
        throw new IOException(question + ": " + answer.body());
      }
    }
    return millis;
  }

  /** Half a window more on both sides, as the viewer asks, so that panning finds it there. */
  private static String window(Timeline timeline, SplittableRandom random) {
    long duration = timeline.duration();
    double shortest = Math.log(PIXELS);
    double width =
        Math.exp(shortest + random.nextDouble() * (Math.log((double) duration) - shortest));
    long from = (long) (random.nextDouble() * (duration - width));
    long half = (long) (width / 2);
    long resolution = Long.highestOneBit((long) (width / PIXELS));
    String tracks =
        random
            .ints(0, timeline.tracks().size())
            .distinct()
            .limit(Math.min(TRACKS, timeline.tracks().size()))
            .sorted()
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    return "from=%d&to=%d&resolution=%d&tracks=%s&depth=0-15"
        .formatted(
            Math.max(0, from - half), Math.min(duration, from + 3 * half), resolution, tracks);
  }

  private static void report(String what, double[] millis) {
    Arrays.sort(millis);
    int count = millis.length;
    System.out.printf(
        "%s=%d median_ms=%.2f p90_ms=%.2f p99_ms=%.2f max_ms=%.2f%n",
        what,
        count,
        millis[count / 2],
        millis[count * 9 / 10],
        millis[count * 99 / 100],
        millis[count - 1]);
  }

  private static long resident() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return -1;
  }
}
