package dev.kymo.recorder;

import dev.kymo.format.Clock;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.userevents.EventOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * The orders of a recorder to the programs it records. They read them from a {@link SessionFile} in
 * the directory of the shared memory.
 *
 * @param directory of the shared memory, mostly in tmpfs
 * @param recording the recording's directory, for messages
 * @param clock name, {@link Clock#TSC} or {@link Clock#MONOTONIC}
 */
public record Session(
    Path directory,
    Path recording,
    UUID uuid,
    String clock,
    Buffers buffers,
    Methods methods,
    Events events,
    Manner manner) {
  /** As soon as it fits the budget. */
  public static final String AUTO = "auto";

  /** From the beginning. */
  public static final String ON = "on";

  public static final String OFF = "off";

  /**
   * The buffers between the program and the recording.
   *
   * @param size bytes of each thread's ring
   * @param whenFull {@link RingLayout#DISCARD}, {@link RingLayout#BLOCK} or {@link
   *     RingLayout#OVERWRITE}
   */
  public record Buffers(int size, int whenFull) {
    /** Whether they keep the newest events, and nothing is written before the end. */
    public boolean isFlightRecorder() {
      return whenFull == RingLayout.OVERWRITE;
    }
  }

  /**
   * The methods that are recorded.
   *
   * @param include patterns of methods to record beyond or instead of the default; may be empty
   * @param exclude patterns of methods not to record
   * @param minSize bytes of code from which methods without calls and loops are recorded
   * @param budget millionths of a thread's time that probes may take; 0 = any
   * @param keepAll whether nothing is left out that costs more than that: methods keep their probes
   *     although even counting their calls does, and waits go on being recorded
   * @param memory directory that keeps findings about methods for later runs; empty = none
   */
  public record Methods(
      List<String> include,
      List<String> exclude,
      int minSize,
      int budget,
      boolean keepAll,
      String memory) {
    /** All methods of the default, at any cost. */
    public static final Methods DEFAULT = new Methods(List.of(), List.of(), 0, 0, false, "");

    public Methods withBudget(int millionths) {
      return new Methods(include, exclude, minSize, millionths, keepAll, memory);
    }
  }

  /**
   * The events that are recorded in addition to calls.
   *
   * @param waits when the waits of threads are recorded: {@link #AUTO}, {@link #ON} or {@link #OFF}
   * @param jvm when the virtual machine's own work is recorded, likewise
   * @param user which events of the program are recorded, and what they trigger
   * @param kernel whether the recording has kernel events; for programs that want them
   * @param messages whether it is recorded what goes through sockets
   */
  public record Events(
      String waits, String jvm, EventOptions user, boolean kernel, boolean messages) {
    /** Only the program's events. */
    public static final Events USER = new Events(OFF, OFF, EventOptions.ALL, false, false);
  }

  /**
   * How the recorder behaves in the program.
   *
   * @param strict whether a fault of the recorder ends the program; for tests
   * @param verbose whether it prints on standard error which classes it weaves
   */
  public record Manner(boolean strict, boolean verbose) {
    /** A guest that neither disturbs nor talks. */
    public static final Manner QUIET = new Manner(false, false);

    /** For tests. */
    public static final Manner STRICT = new Manner(true, false);
  }

  /** Makes a new session that records calls and the program's events. */
  public static Session create(Path directory, Path recording, String clock, Buffers buffers) {
    UUID uuid = UUID.randomUUID();
    return new Session(
        directory, recording, uuid, clock, buffers, Methods.DEFAULT, Events.USER, Manner.QUIET);
  }

  public Session with(Methods other) {
    return new Session(directory, recording, uuid, clock, buffers, other, events, manner);
  }

  public Session with(Events other) {
    return new Session(directory, recording, uuid, clock, buffers, methods, other, manner);
  }

  public Session with(Manner other) {
    return new Session(directory, recording, uuid, clock, buffers, methods, events, other);
  }

  public void store() throws IOException {
    SessionFile.store(this);
  }

  public static Session load(Path directory) throws IOException {
    return SessionFile.load(directory);
  }
}
