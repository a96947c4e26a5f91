package dev.kymo.server;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.KernelProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Serves one of the known recordings to look at, for whoever works on the viewer. */
final class ServeKnownRecordings {
  private ServeKnownRecordings() {}

  static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 1 && (args[0].equals("growing") || args[0].equals("reading"))) {
      serve(new GrowingTimeline(args[0].equals("growing")), Integer.parseInt(args[1]));
      return;
    }
    if (args.length > 1 && (args[0].equals("waiting") || args[0].equals("contending"))) {
      boolean small = args[0].equals("waiting");
      Path folder = Files.createTempDirectory("kymo").resolve("waiting.kymo");
      Path written = (small ? WaitingProgram.small() : WaitingProgram.busy(7)).write(folder);
      serve(Timelines.open(written, ProgressListener.NONE), Integer.parseInt(args[1]));
      return;
    }
    if (args.length > 1 && (args[0].equals("kernel") || args[0].equals("kernel-events"))) {
      boolean plain = args[0].equals("kernel");
      Path folder = Files.createTempDirectory("kymo").resolve("kernel.kymo");
      Path written =
          (plain ? KernelProgram.recording() : KernelProgram.withKernelEvents()).write(folder);
      serve(Timelines.open(written, ProgressListener.NONE), Integer.parseInt(args[1]));
      return;
    }
    if (args.length > 1 && args[0].equals("own")) {
      Path folder = Files.createTempDirectory("kymo").resolve("own.kymo");
      Path written = OwnProgram.recording().write(folder);
      serve(Timelines.open(written, ProgressListener.NONE), Integer.parseInt(args[1]));
      return;
    }
    if (args.length > 1 && args[0].equals("samples")) {
      Path folder = Files.createTempDirectory("kymo").resolve("samples.kymo");
      Path written = SampledProgram.recording().write(folder);
      serve(Timelines.open(written, ProgressListener.NONE), Integer.parseInt(args[1]));
      return;
    }
    if (args.length > 1 && args[0].equals("points")) {
      Path folder = Files.createTempDirectory("kymo").resolve("points.kymo");
      Path written = InstructionProgram.write(folder);
      serve(Timelines.open(written, ProgressListener.NONE), Integer.parseInt(args[1]));
      return;
    }
    if (args.length > 1 && args[0].equals("changed")) {
      Path folder = Files.createTempDirectory("kymo");
      serve(
          List.of(
              ChangedProgram.old().open(folder.resolve("old.kymo")),
              ChangedProgram.changed().open(folder.resolve("new.kymo"))),
          Integer.parseInt(args[1]));
      return;
    }
    FakeTimeline timeline =
        switch (args.length > 0 ? args[0] : "shop") {
          case "crowd" -> KnownRecordings.crowd();
          case "busy" -> KnownRecordings.busy(7);
          default -> KnownRecordings.shop();
        };
    if (args.length > 2) {
      timeline.keepIn(Path.of(args[2]));
    }
    int port = args.length > 1 ? Integer.parseInt(args[1]) : 7070;
    serve(timeline, port);
  }

  private static void serve(Timeline timeline, int port) throws IOException, InterruptedException {
    serve(List.of(timeline), port);
  }

  private static void serve(List<Timeline> timelines, int port)
      throws IOException, InterruptedException {
    try (KymoServer server = KymoServer.start(timelines, port)) {
      System.out.println(server.uri());
      Thread.currentThread().join();
    }
  }
}
