package dev.kymo.bench.peer;

import dev.kymo.bench.CallLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs {@link CallLoop} on a Java. */
public final class JavaLoop {
  /** Its class. */
  public static final String NAME = CallLoop.class.getName();

  private final Path launcher;

  /** The loop on the Java with this launcher. */
  public JavaLoop(Path launcher) {
    this.launcher = launcher;
  }

  /**
   * The command that runs it.
   *
   * @param options of the virtual machine
   */
  public List<String> command(String... options) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), NAME));
    command.addAll(Arrays.asList(Peer.arguments()));
    return command;
  }

  /** Nanoseconds of a call that nobody records. */
  public double plain(Path folder) throws IOException, InterruptedException {
    return Double.parseDouble(ChildCommand.run(folder, command()));
  }
}
