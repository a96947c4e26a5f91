package dev.kymo.cli;

import dev.kymo.model.CallPass;
import dev.kymo.model.ProgressListener;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;

/** Tools that record {@code dev.kymo.bench.CallLoop}. */
final class JavaPeers {
  private static final String LOOP = "dev.kymo.bench.CallLoop";
  private static final int METHOD_TRACING_SINCE = 25;

  private final Path launcher;

  JavaPeers(Path launcher) {
    this.launcher = launcher;
  }

  List<Peer> all() {
    return List.of(new Kymo(), new FlightRecorderEvent(), new FlightRecorderTrace());
  }

  private List<String> loop(String... options) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), LOOP));
    command.addAll(Arrays.asList(Peer.arguments()));
    return command;
  }

  private double plain(Path folder) throws IOException, InterruptedException {
    return Double.parseDouble(ChildCommand.run(folder, loop()));
  }

  private final class Kymo implements Peer {
    @Override
    public String name() {
      return "kymo";
    }

    @Override
    public int eventsPerCall() {
      return 2;
    }

    @Override
    public String missing() {
      try {
        AgentJar.find();
        return "";
      } catch (IOException e) {
        return String.valueOf(e.getMessage());
      }
    }

    @Override
    public Outcome measure(Path folder) throws IOException, InterruptedException {
      Path recording = folder.resolve("run.kymo");
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-Dkymo.agent=" + AgentJar.find(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "record",
                  "--quiet",
                  "--no-index",
                  "--output=" + recording,
                  "--budget=none",
                  "--min-size=0",
                  "--include=" + LOOP + "#call",
                  "--"));
      double plain = plain(folder);
      command.addAll(loop());
      double recorded = Double.parseDouble(ChildCommand.run(folder, command));
      try (Recording open = Recording.open(recording)) {
        CallPass pass = CallPass.open(open);
        pass.run((t, d, m, b, e, c, n, f) -> {}, thread -> true, ProgressListener.NONE);
        RecordingFacts facts = RecordingFacts.of(pass);
        return new Outcome(
            plain, recorded, facts.enters() + facts.leaves() + facts.unwinds(), facts.bytes());
      }
    }
  }

  /** An event that the program commits for each call. */
  private final class FlightRecorderEvent implements Peer {
    @Override
    public String name() {
      return "JFR event";
    }

    @Override
    public int eventsPerCall() {
      return 1;
    }

    @Override
    public String missing() {
      return "";
    }

    @Override
    public Outcome measure(Path folder) throws IOException, InterruptedException {
      return flightRecorder(folder, LOOP, "", "event");
    }
  }

  /** Method tracing, with a filter of the one method. */
  private final class FlightRecorderTrace implements Peer {
    @Override
    public String name() {
      return "JFR method trace";
    }

    @Override
    public int eventsPerCall() {
      return 1;
    }

    @Override
    public String missing() {
      int version = JavaVersion.oldestOf(launcher, System.getenv());
      return version >= METHOD_TRACING_SINCE
          ? ""
          : "this needs Java 25 or later: java=%d, see --java".formatted(version);
    }

    @Override
    public Outcome measure(Path folder) throws IOException, InterruptedException {
      return flightRecorder(
          folder,
          "jdk.MethodTrace",
          """
          <setting name="threshold">0 ns</setting>
          <setting name="stackTrace">false</setting>
          <setting name="filter">%s::call</setting>
          """
              .formatted(LOOP));
    }
  }

  private Peer.Outcome flightRecorder(
      Path folder, String event, String settings, String... arguments)
      throws IOException, InterruptedException {
    Path configuration = folder.resolve("settings.jfc");
    Path file = folder.resolve("run.jfr");
    Files.writeString(
        configuration,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <configuration version="2.0">
          <event name="%s"><setting name="enabled">true</setting>%s</event>
        </configuration>
        """
            .formatted(event, settings));
    double plain = plain(folder);
    List<String> command =
        loop(
            "-Xlog:disable",
            "-XX:StartFlightRecording:maxsize=0,settings=%s,filename=%s"
                .formatted(configuration, file));
    command.addAll(Arrays.asList(arguments));
    double recorded = Double.parseDouble(ChildCommand.run(folder, command));
    long events = 0;
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        events += recording.readEvent().getEventType().getName().equals(event) ? 1 : 0;
      }
    }
    return new Peer.Outcome(plain, recorded, events, Files.size(file));
  }
}
