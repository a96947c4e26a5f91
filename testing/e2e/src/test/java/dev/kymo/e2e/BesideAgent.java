package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

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
 * @param agent the other agent's option, {@code -javaagent:...}
 * @param program options of Java, the main class, and its arguments
 */
record BesideAgent(Path folder, Jdk jdk, String agent, List<String> program) {
  /** A way in which both come together. */
  enum Way {
    /** Kymo's jar alone, before the other agent. */
    KYMO_FIRST,
    /** Kymo's jar alone, after the other agent. */
    KYMO_LAST,
    /** {@code kymo record}, which puts Kymo before the options of the command line. */
    RECORDED,
    /** {@code kymo record}, and the other agent in {@code JAVA_TOOL_OPTIONS}, which come first. */
    RECORDED_LAST;

    /** Whether the other agent comes before Kymo. */
    boolean isLast() {
      return this == KYMO_LAST || this == RECORDED_LAST;
    }
  }

  private static final String TOLD = "Picked up JAVA_TOOL_OPTIONS: .*\n";

  Path of(Way way) {
    return folder.resolve(way.name());
  }

  Path recording(Way way) {
    return of(way).resolve("run.kymo");
  }

  /** Runs it without Kymo, in a folder. */
  Kymo.Result plain(Path in) throws Exception {
    return Kymo.exec(Files.createDirectory(in), java(List.of(agent)));
  }

  /** Runs it with Kymo, of which nothing may be on standard error. */
  Kymo.Result beside(Way way) throws Exception {
    Path in = Files.createDirectory(of(way));
    String alone = "-javaagent:" + Kymo.AGENT + "=out=run.kymo,budget=none,strict,quiet";
    Kymo.Result result =
        switch (way) {
          case KYMO_FIRST -> Kymo.exec(in, java(List.of(alone, agent)));
          case KYMO_LAST -> Kymo.exec(in, java(List.of(agent, alone)));
          case RECORDED -> record(in, Map.of(), java(List.of(agent)));
          case RECORDED_LAST -> record(in, Map.of("JAVA_TOOL_OPTIONS", agent), java(List.of()));
        };
    assertThat(recording(way)).as(result.err()).isDirectory();
    return new Kymo.Result(result.exit(), result.out(), result.err().replaceAll(TOLD, ""));
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
    words.addAll(options);
    words.addAll(program);
    return words.toArray(String[]::new);
  }
}
