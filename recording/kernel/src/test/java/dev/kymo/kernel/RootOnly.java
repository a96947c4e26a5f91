package dev.kymo.kernel;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.kymo.format.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What tests that trace this machine share. */
final class RootOnly {
  private RootOnly() {}

  /** Skips the test, saying why, where tracing is not to be had. */
  static Tracefs tracefs(String test) {
    try {
      return Tracefs.find();
    } catch (KernelException e) {
      System.out.println("SKIPPED " + test + ": " + e.getMessage());
      return abort(String.valueOf(e.getMessage()));
    }
  }

  /** Instances of this process. */
  static List<Path> own(Tracefs tracefs) throws IOException {
    return of(tracefs, ProcessHandle.current().pid());
  }

  static List<Path> of(Tracefs tracefs, long pid) throws IOException {
    try (Stream<Path> all = Files.list(tracefs.instances())) {
      return all.filter(p -> p.getFileName().toString().startsWith("kymo-" + pid + "-")).toList();
    }
  }

  static KernelCapture capture(String events, int bufferKb, List<String> complaints)
      throws KernelException {
    return KernelCapture.open(
        Service.parse(events), Clock.MONOTONIC, System::nanoTime, bufferKb, complaints::add);
  }

  /** Runs a shell command to its end. */
  static int shell(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
