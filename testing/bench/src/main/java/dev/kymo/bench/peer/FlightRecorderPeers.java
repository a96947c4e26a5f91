package dev.kymo.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;

/** The ways in which the flight recorder can record a call. */
public final class FlightRecorderPeers {
  private static final int METHOD_TRACING_SINCE = 25;

  private final JavaLoop loop;
  private final int version;

  private FlightRecorderPeers(JavaLoop loop, int version) {
    this.loop = loop;
    this.version = version;
  }

  /**
   * The tools.
   *
   * @param version of the Java that runs the loop; 0 = unknown
   */
  public static List<Peer> all(JavaLoop loop, int version) {
    FlightRecorderPeers peers = new FlightRecorderPeers(loop, version);
    return List.of(peers.new OwnEvent(), peers.new MethodTrace());
  }

  /** An event that the program commits for each call. */
  private final class OwnEvent implements Peer {
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
      return flightRecorder(folder, JavaLoop.NAME, "", "event");
    }
  }

  /** Method tracing, with a filter for the one method. */
  private final class MethodTrace implements Peer {
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
              .formatted(JavaLoop.NAME));
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
    double plain = loop.plain(folder);
    List<String> command =
        loop.command(
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
