package dev.kymo.recorder.ring;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Drainer;
import dev.kymo.drain.RecordingDirectory;
import dev.kymo.format.Clock;
import dev.kymo.format.Redaction;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A recording of the test's own process, for tests that call probes. */
final class OwnRecording {
  final Session session;
  final Path path;
  private final Path sharedMemory;

  /** Makes it in a folder, with the defaults of a recording but the methods' budget. */
  OwnRecording(Path folder, Session.Methods methods) throws IOException {
    sharedMemory = Files.createDirectory(folder.resolve("shared"));
    path = folder.resolve("r.kymo");
    session =
        Session.create(
                sharedMemory, path, Clock.MONOTONIC, new Session.Buffers(1 << 20, RingLayout.BLOCK))
            .with(methods);
  }

  /** Records while the program runs. */
  void record(Program program) throws Exception {
    try (RecordingDirectory directory = RecordingDirectory.create(path, sharedMemory);
        Drainer drainer =
            new Drainer(
                session,
                directory,
                new ClockCalibration(session.clock()),
                Redaction.NONE,
                message -> {
                  throw new AssertionError(message);
                })) {
      drainer.begin("test", "OwnRecording");
      ProcessRecorder recorder = ProcessRecorder.start(session);
      recorder.switchOn();
      program.run(drainer, recorder);
      recorder.stop();
      drainer.finish();
    }
  }

  /** What is recorded. */
  interface Program {
    void run(Drainer drainer, ProcessRecorder recorder) throws Exception;
  }
}
