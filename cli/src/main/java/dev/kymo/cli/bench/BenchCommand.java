package dev.kymo.cli.bench;

import dev.kymo.bench.peer.FlightRecorderPeers;
import dev.kymo.bench.peer.JavaLoop;
import dev.kymo.bench.peer.NativePeers;
import dev.kymo.bench.peer.Peer;
import dev.kymo.bench.peer.PeerResults;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.drain.ClockCalibration;
import dev.kymo.session.ExitCode;
import dev.kymo.session.system.AgentJar;
import dev.kymo.session.system.JavaVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kymo bench}: what an event costs on this machine, and what it costs with other tools. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Measures what recording one event costs on this machine, with Kymo and its peers.")
public final class BenchCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--java",
      paramLabel = "FOLDER",
      description = "JDK 17 or later to measure on; default: the one that runs kymo.")
  private @Nullable Path java;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "101",
      description = "Number of rounds, whose median is reported; default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "How often each tool found on this machine records the same calls: kymo, flight recorder,"
              + " uftrace, lttng-ust; 0 = never; default: ${DEFAULT-VALUE}.")
  private int turns;

  public BenchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path home = java == null ? Path.of(System.getProperty("java.home")) : java;
    Path launcher = home.resolve("bin/java");
    if (JavaVersion.find(launcher.toString()) == null) {
      throw new IOException("no Java here: java=" + home);
    }
    if (rounds < 1) {
      throw new IOException("at least one round is needed: rounds=" + rounds);
    }
    if (turns < 0) {
      throw new IOException("turns must not be negative: turns=" + turns);
    }
    String own = eventCost(launcher, "own", List.of("-Xbootclasspath/a:" + recorder()));
    String result =
        Stream.of(
                eventCost(launcher, "calls", List.of()),
                eventCost(launcher, "budget", List.of()),
                own)
            .map(json -> json.substring(1, json.length() - 1))
            .collect(Collectors.joining(",", "{", "}"));
    List<Peer> peers = new ArrayList<>();
    if (turns > 0) {
      JavaLoop loop = new JavaLoop(launcher);
      peers.add(new KymoPeer(loop));
      peers.addAll(FlightRecorderPeers.all(loop, JavaVersion.oldestOf(launcher, System.getenv())));
      peers.addAll(NativePeers.all(program -> JavaVersion.find(program) != null));
    }
    PeerTable table = new PeerTable(PeerResults.measure(peers, turns));
    if (json) {
      terminal.line(result.substring(0, result.length() - 1) + ",\"peers\":" + table.json() + "}");
    } else {
      terminal.lines(table(result));
      if (turns > 0) {
        table.write(terminal);
      }
    }
    return ExitCode.OK;
  }

  private String eventCost(Path launcher, String what, List<String> options)
      throws IOException, InterruptedException {
    String clock = ClockCalibration.best(JavaVersion.oldestOf(launcher, System.getenv()));
    List<String> command =
        new ArrayList<>(
            List.of(
                launcher.toString(),
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "dev.kymo.bench.EventCost",
            clock,
            Integer.toString(rounds),
            AgentJar.library().toString(),
            what));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String result =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    if (process.waitFor() != 0) {
      throw new IOException("the measurement failed: exit=" + process.exitValue());
    }
    return result;
  }

  /** Where the API looks for the recorder: with the JDK's own classes. */
  private static String recorder() {
    return Arrays.stream(System.getProperty("java.class.path").split(":", -1))
        .filter(path -> path.matches(".*/kymo-(recorder|format)-[^/]*\\.jar"))
        .collect(Collectors.joining(":"));
  }

  private static String table(String json) {
    return """
    Java %s, clock %s; nanoseconds, medians of %s rounds
      the bare clock                 %8s
      one event (enter or leave)     %8s   %s of the clock
      the same where there is a budget %6s   %s of the clock
      a probe that is switched off   %8s
      an event of the program's own  %8s   %s of the clock; 16 bytes
      the same, switched off         %8s
      System.nanoTime()              %8s
      a flight recorder commit()     %8s   an event is %s of it\
    """
        .formatted(
            field(json, "java"),
            field(json, "clock"),
            field(json, "rounds"),
            field(json, "clock_ns"),
            field(json, "event_ns"),
            field(json, "event_per_clock"),
            field(json, "budget_event_ns"),
            field(json, "budget_event_per_clock"),
            field(json, "disabled_ns"),
            field(json, "own_event_ns"),
            field(json, "own_event_per_clock"),
            field(json, "own_disabled_ns"),
            field(json, "nanotime_ns"),
            field(json, "jfr_commit_ns"),
            field(json, "event_per_jfr_commit"));
  }

  private static String field(String json, String name) {
    int begin = json.indexOf("\"" + name + "\":") + name.length() + 3;
    int end = begin;
    while (end < json.length() && json.charAt(end) != ',' && json.charAt(end) != '}') {
      end++;
    }
    return json.substring(begin, end).replace("\"", "");
  }
}
