package dev.kymo.analysis.difference;

import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A made up program of two workers, whose recordings differ in what a test says and, by chance, in
 * how long calls take: all of a run by some factor, and each call by itself.
 */
final class Program {
  private static final int WAITS = 50;
  private static final List<String> METHODS = new ArrayList<>();

  /** What takes how long itself, nanoseconds. */
  int load = 20_000;

  int parse = 30_000;
  int writes = 5;
  boolean flush;
  boolean swapped;
  int sleep;
  String threads = "worker-";
  double speed = 1;
  double noise = 0.05;
  int requests = 300;

  /** Number of the request before which events of the first worker are lost; -1 = none. */
  int loss = -1;

  private final SplittableRandom random;
  private final RecordingBuilder recording = new RecordingBuilder().process(1);
  private StreamWriter ring = recording.ring(1, 0, 1);
  private StreamWriter states = recording.ring(1, 100, 101);
  private long now;

  Program(long seed) {
    random = new SplittableRandom(seed);
  }

  private static int method(String name) {
    if (!METHODS.contains(name)) {
      METHODS.add(name);
    }
    return METHODS.indexOf(name) + 1;
  }

  Path record(Path to) {
    for (String name :
        List.of("serve", "request", "load", "parse", "store", "write", "flush", "left", "right")) {
      recording.method(1, method(name), "a.App", name);
    }
    recording.method(1, WAITS, "sleep", "");
    for (int i = 0; i < 2; i++) {
      recording.thread(1, i + 1, threads + i).states(1, 101 + i, i + 1, threads + i);
      ring = recording.ring(1, i, i + 1);
      states = recording.ring(1, 100 + i, 101 + i);
      now = 1000;
      serve(i == 0 ? loss : -1);
    }
    return recording.write(to);
  }

  private void serve(int lossBefore) {
    enter("serve");
    for (int i = 0; i < requests; i++) {
      if (i == lossBefore) {
        ring.lose(10);
      }
      request();
    }
    leave("serve");
  }

  private void request() {
    enter("request");
    call("load", load);
    enter("parse");
    run(parse);
    if (sleep > 0) {
      states.enter(now, WAITS);
      now += sleep;
      states.leave(now, WAITS);
    }
    leave("parse");
    enter("store");
    run(15_000);
    for (int i = 0; i < writes; i++) {
      call("write", 4_000);
    }
    if (flush) {
      call("flush", 9_000);
    }
    leave("store");
    call(swapped ? "right" : "left", 2_000);
    call(swapped ? "left" : "right", 2_000);
    leave("request");
  }

  private void call(String name, int time) {
    enter(name);
    run(time);
    leave(name);
  }

  private void run(int time) {
    double factor = speed * (1 + noise * random.nextGaussian());
    boolean disturbed = random.nextInt(200) == 0;
    now += (long) (time * Math.max(0.5, factor)) + (disturbed ? 300_000 : 0);
  }

  private void enter(String name) {
    ring.enter(now, method(name));
    now += 50;
  }

  private void leave(String name) {
    now += 50;
    ring.leave(now, method(name));
  }
}
