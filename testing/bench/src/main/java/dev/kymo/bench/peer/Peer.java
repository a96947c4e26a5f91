package dev.kymo.bench.peer;

import java.io.IOException;
import java.nio.file.Path;

/** A tool that records calls of a small program, to be measured on this machine. */
public interface Peer {
  /** Calls a round. */
  int CALLS = 200_000;

  int WARM_UP_ROUNDS = 5;
  int ROUNDS = 11;
  long ALL_CALLS = (long) CALLS * (WARM_UP_ROUNDS + ROUNDS);

  /** The program's arguments. */
  static String[] arguments() {
    return new String[] {
      Integer.toString(CALLS), Integer.toString(WARM_UP_ROUNDS), Integer.toString(ROUNDS)
    };
  }

  String name();

  /** Number of events of one call. */
  int eventsPerCall();

  /** Why it cannot be measured here, in one sentence; empty if it can. */
  String missing();

  /**
   * Runs the program without and with the tool.
   *
   * @param folder for files, empty
   */
  Outcome measure(Path folder) throws IOException, InterruptedException;

  /**
   * The result.
   *
   * @param plain nanoseconds of a call that is not recorded
   * @param recorded nanoseconds of a recorded call
   * @param events in the recording
   * @param bytes of the recording
   */
  record Outcome(double plain, double recorded, long events, long bytes) {}
}
