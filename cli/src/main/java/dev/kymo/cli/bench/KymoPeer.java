package dev.kymo.cli.bench;

import dev.kymo.bench.peer.ChildCommand;
import dev.kymo.bench.peer.JavaLoop;
import dev.kymo.bench.peer.Peer;
import dev.kymo.cli.report.RecordingFacts;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import dev.kymo.session.system.AgentJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Kymo itself, measured as its peers are. */
final class KymoPeer implements Peer {
  private static final String MAIN = "dev.kymo.cli.Main";

  private final JavaLoop loop;

  KymoPeer(JavaLoop loop) {
    this.loop = loop;
  }

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
                MAIN,
                "record",
                "--quiet",
                "--no-index",
                "--output=" + recording,
                "--budget=none",
                "--min-size=0",
                "--include=" + JavaLoop.NAME + "#call",
                "--"));
    double plain = loop.plain(folder);
    command.addAll(loop.command());
    double recorded = Double.parseDouble(ChildCommand.run(folder, command));
    try (Recording open = Recording.open(recording)) {
      CallPass pass = CallPass.open(open);
      pass.run(CallSink.NONE, thread -> true, ProgressListener.NONE);
      RecordingFacts facts = RecordingFacts.of(pass);
      return new Outcome(
          plain, recorded, facts.enters() + facts.leaves() + facts.unwinds(), facts.bytes());
    }
  }
}
