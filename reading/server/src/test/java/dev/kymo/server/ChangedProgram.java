package dev.kymo.server;

import dev.kymo.format.Clock;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Two runs of a program with two workers that answer requests. In the new one, each {@code parse}
 * takes twice as long, each {@code store} writes eight times instead of five, and there is one more
 * thread, the first. {@code viewer/test/browser/differences.test.ts} knows the same.
 */
public final class ChangedProgram {
  static final int REQUESTS = 100;

  /** The request of the second worker whose {@code parse} takes longest. */
  static final int LONG = 40;

  /** More threads, so that not all are in sight. */
  private static final int IDLE = 12;

  private static final List<String> METHODS =
      List.of("serve", "request", "load", "parse", "store", "write", "check", "close", "main");

  private final boolean changed;
  private final RecordingBuilder recording = new RecordingBuilder().process(1);
  private StreamWriter ring = recording.ring(1, 0, 1);
  private long now;

  private ChangedProgram(boolean changed) {
    this.changed = changed;
  }

  static ChangedProgram old() {
    return new ChangedProgram(false);
  }

  static ChangedProgram changed() {
    return new ChangedProgram(true);
  }

  /** Writes the recording and opens it. */
  Timeline open(Path to) throws IOException {
    return Timelines.open(write(to), ProgressListener.NONE);
  }

  private Path write(Path to) {
    recording.clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 7));
    METHODS.forEach(name -> recording.method(1, METHODS.indexOf(name) + 1, "a.App", name));
    int thread = 1;
    if (changed) {
      recording.thread(1, thread, "main");
      thread++;
      now = 1000;
      call("main", 5_000_000);
    }
    for (int worker = 0; worker < 2; worker++) {
      recording.thread(1, thread, "worker-" + worker);
      ring = recording.ring(1, thread - 1, thread++);
      now = 1000 + 500L * worker;
      enter("serve");
      for (int i = 0; i < REQUESTS; i++) {
        request(worker, i);
      }
      leave("serve");
    }
    for (int i = 0; i < IDLE; i++) {
      recording.thread(1, thread, "idle-" + i);
      ring = recording.ring(1, thread - 1, thread++);
      now = 1000;
      call("main", 100_000);
    }
    return recording.write(to);
  }

  private void request(int worker, int number) {
    // Calls of a real program are never equally long.
    int jitter = number * 37 % 101;
    enter("request");
    call("load", 20_000 + 10 * jitter);
    boolean isLong = worker == 1 && number == LONG;
    call("parse", (changed ? 60_000 : 30_000) + 15 * jitter + (isLong ? 40_000 : 0));
    call("check", 10_000 + 5 * jitter);
    enter("store");
    now += 15_000 + 8L * jitter;
    for (int i = 0; i < (changed ? 8 : 5); i++) {
      call("write", 4_000 + 2 * jitter);
    }
    leave("store");
    call("close", 12_000 + 6 * jitter);
    leave("request");
  }

  private void call(String name, int time) {
    enter(name);
    now += time;
    leave(name);
  }

  private void enter(String name) {
    ring.enter(now, METHODS.indexOf(name) + 1);
    now += 50;
  }

  private void leave(String name) {
    now += 50;
    ring.leave(now, METHODS.indexOf(name) + 1);
  }
}
