package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program with another agent: as it is, and with Kymo in each of the ways in which both come
 * together. Each run has a folder of its own.
 *
 * @param folder where the runs' folders are
 * @param jdk that runs the program
 * @param agent the other agent's option, {@code -javaagent:...}; empty if it attaches itself
 * @param program options of Java, {@code Twice}, the main class, and its arguments
 */
public record BesideAgent(Path folder, Jdk jdk, String agent, List<String> program) {
  /** A way in which both come together. */
  public enum Way {
    /** Kymo's jar alone, before the other agent. */
    KYMO_FIRST,
    /** Kymo's jar alone, after the other agent. */
    KYMO_LAST,
    /** {@code kymo record}, which puts Kymo before the options of the command line. */
    RECORDED,
    /** {@code kymo record}, and the other agent in {@code JAVA_TOOL_OPTIONS}, which come first. */
    RECORDED_LAST,
    /** {@code kymo record --pid}, when the program has run for the first time of two. */
    ATTACHED,
    /** The same; and before the program goes on, all is switched off and on again. */
    SWITCHED,
    /** The same, but the recording ends before the program runs for the second time. */
    GONE;

    /** Whether the other agent comes before Kymo. */
    public boolean isLast() {
      return this == KYMO_LAST || this == RECORDED_LAST || runs() < 2;
    }

    /** How many of the program's two runs are in the recording. */
    public int runs() {
      return switch (this) {
        case KYMO_FIRST, KYMO_LAST, RECORDED, RECORDED_LAST -> 2;
        case ATTACHED, SWITCHED -> 1;
        case GONE -> 0;
      };
    }
  }

  private static final String TOLD = "Picked up JAVA_TOOL_OPTIONS: .*\n";

  public Path of(Way way) {
    return folder.resolve(way.name());
  }

  public Path recording(Way way) {
    return of(way).resolve("run.kymo");
  }

  /** Runs it without Kymo, in a folder. */
  public Kymo.Result plain(Path in) throws Exception {
    return Kymo.exec(Files.createDirectory(in), java(List.of(agent)));
  }

  /** Runs it with Kymo, of which nothing may be on standard error. */
  public Kymo.Result beside(Way way) throws Exception {
    return beside(way, () -> {});
  }

  /**
   * The same.
   *
   * @param attached done when Kymo has been attached, if it is
   */
  public Kymo.Result beside(Way way, Runnable attached) throws Exception {
    Path in = Files.createDirectory(of(way));
    String alone = "-javaagent:" + Kymo.AGENT + "=out=run.kymo,budget=none,strict,quiet";
    Kymo.Result result =
        switch (way) {
          case KYMO_FIRST -> Kymo.exec(in, java(List.of(alone, agent)));
          case KYMO_LAST -> Kymo.exec(in, java(List.of(agent, alone)));
          case RECORDED -> record(in, Map.of(), java(List.of(agent)));
          case RECORDED_LAST -> record(in, Map.of("JAVA_TOOL_OPTIONS", agent), java(List.of()));
          case ATTACHED -> attached(in, attached, (recorder, pid) -> {});
          case SWITCHED -> attached(in, attached, (recorder, pid) -> switchAll(pid));
          case GONE -> attached(in, attached, (recorder, pid) -> end(recorder));
        };
    assertThat(recording(way)).as(result.err()).isDirectory();
    return new Kymo.Result(result.exit(), result.out(), result.err().replaceAll(TOLD, ""));
  }

  /** What is done with the recorder before the program runs for the second time. */
  @FunctionalInterface
  interface Meanwhile {
    void act(Process recorder, long pid) throws Exception;
  }

  private Kymo.Result attached(Path in, Runnable attached, Meanwhile meanwhile) throws Exception {
    Process program = new ProcessBuilder(java(List.of(agent))).directory(in.toFile()).start();
    try {
      String before = untilReady(program);
      Process recorder = attach(in, program.pid());
      attached.run();
      meanwhile.act(recorder, program.pid());
      Kymo.Result result = Kymo.finish(program, "\n");
      if (recorder.isAlive()) {
        assertThat(Kymo.finish(recorder, "")).isEqualTo(new Kymo.Result(0, "", ""));
      }
      return new Kymo.Result(result.exit(), before + result.out(), result.err());
    } finally {
      program.destroyForcibly(); // the recorder ends with it
    }
  }

  private static void switchAll(long pid) throws Exception {
    for (String to : List.of("level events", "level all", "stop", "start")) {
      List<String> words = new ArrayList<>(List.of("ctl", Long.toString(pid)));
      words.addAll(List.of(to.split(" ")));
      assertThat(Kymo.run(words.toArray(String[]::new)).exit()).as(to).isZero();
    }
  }

  private static void end(Process recorder) throws Exception {
    recorder.toHandle().destroy();
    assertThat(Kymo.finish(recorder, "")).isEqualTo(new Kymo.Result(0, "", ""));
  }

  /** What a program prints until it waits. */
  private static String untilReady(Process program) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (!out.toString(StandardCharsets.UTF_8).endsWith("ready\n")) {
      int read = program.getInputStream().read();
      if (read < 0) {
        throw new AssertionError(Kymo.finish(program, "").err());
      }
      out.write(read);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Begins to record a running program. */
  private Process attach(Path in, long pid) throws Exception {
    Process recorder =
        Kymo.start(
            in,
            Map.of(),
            "record",
            "-q",
            "--strict",
            "-o",
            "run.kymo",
            "--pid",
            Long.toString(pid));
    Kymo.awaitFile(in.resolve("run.kymo/p1-definitions"), recorder);
    // It is answered when the agent is in the program: the virtual machine attaches one at a time.
    String jcmd = jdk.home().resolve("bin/jcmd").toString();
    assertThat(Kymo.exec(in, jcmd, Long.toString(pid), "VM.version").exit()).isZero();
    return recorder;
  }

  private static Kymo.Result record(Path in, Map<String, String> environment, String... command)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict", "-o", "run.kymo"));
    words.add("--");
    words.addAll(List.of(command));
    return Kymo.runIn(in, environment, "", words.toArray(String[]::new));
  }

  private String[] java(List<String> options) {
    List<String> words = new ArrayList<>(List.of(jdk.java().toString()));
    words.add("-XX:+EnableDynamicAgentLoading"); // otherwise there is a warning
    words.addAll(options.stream().filter(option -> !option.isEmpty()).toList());
    words.addAll(program);
    return words.toArray(String[]::new);
  }
}
