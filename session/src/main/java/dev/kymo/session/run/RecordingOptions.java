package dev.kymo.session.run;

import dev.kymo.format.Redaction;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.userevents.EventOptions;
import dev.kymo.session.network.Delivery;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The options of a recording. */
public record RecordingOptions(
    Program program,
    Target target,
    Session.Buffers buffers,
    Session.Methods methods,
    Events events,
    Manner manner) {
  /**
   * What is recorded, and with what.
   *
   * @param command as the user gave it, for people
   * @param agent the agent's jar
   * @param clock name of the recording's clock
   * @param redaction what of command lines is left out
   */
  public record Program(String command, Path agent, String clock, Redaction redaction) {}

  /**
   * Where the recording goes.
   *
   * @param output the recording's directory
   * @param disk how large it may become
   * @param index whether an index is built while it is recorded
   * @param delivery where it is sent while it is made; null = nowhere
   * @param name what it is called where it is sent
   * @param console prints it; null = it is kept or sent
   */
  public record Target(
      Path output,
      DiskLimit disk,
      boolean index,
      @Nullable Delivery delivery,
      String name,
      @Nullable Console console) {
    /** Whether the files only grow from the beginning on, so that they can be indexed. */
    boolean canBeIndexed(Session.Buffers buffers) {
      return index
          && console == null
          && delivery == null
          && !buffers.isFlightRecorder()
          && !disk.dropsOldest();
    }
  }

  /**
   * What is recorded in addition to methods.
   *
   * @param waits when the waits of threads are recorded
   * @param jvm when the virtual machine's own work is recorded
   * @param user which events of the program are recorded, and what they trigger
   * @param snapshots which rules take snapshots
   * @param kernel which kernel events; null = none
   * @param messages whether it is recorded what goes through sockets
   */
  public record Events(
      String waits,
      String jvm,
      EventOptions user,
      SnapshotRules snapshots,
      @Nullable KernelOptions kernel,
      boolean messages) {
    /** Whether events were named, which the program may not have. */
    boolean areNamed() {
      return !user.startOn().isEmpty() || !user.stopOn().isEmpty() || !user.snapshotOn().isEmpty();
    }
  }

  /**
   * How Kymo behaves during the recording.
   *
   * @param strict whether a fault of the agent ends the program
   * @param verbose whether it says which classes are recorded
   * @param quiet whether it says only what goes wrong
   */
  public record Manner(boolean strict, boolean verbose, boolean quiet) {}

  /**
   * The session file for the recorders in the programs.
   *
   * @param kernel whether there are kernel events
   */
  Session session(Path sharedMemory, boolean kernel) {
    return new Session(
        sharedMemory,
        target.output.toAbsolutePath(),
        UUID.randomUUID(),
        program.clock,
        buffers,
        methods,
        new Session.Events(events.waits, events.jvm, events.user, kernel, events.messages),
        new Session.Manner(manner.strict, manner.verbose));
  }
}
