package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.format.Clock;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.page.StandalonePage;
import dev.kymo.testkit.HoppingThreads;
import dev.kymo.testkit.KernelProgram;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.viewer.ViewerFiles;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests in {@code viewer/test/browser}: a real browser looks at known recordings, and what
 * is drawn must be what is known.
 */
@Tag("browser")
class ViewerInBrowserTest {
  private static final Path VIEWER = SourceTree.path("reading/viewer");

  /** What is drawn, and that it can be reached: what a reader meets first. */
  private static final List<String> FIRST = List.of("first", "picture", "loading");

  @Test
  void drawsKnownCallsWhereTheyBelong(@TempDir Path folder) throws Exception {
    look(folder, FIRST);
  }

  @Tag("viewer")
  @Test
  void showsAllThatIsKnown(@TempDir Path folder) throws Exception {
    try (Stream<Path> files = Files.list(VIEWER.resolve("test/browser"))) {
      look(
          folder,
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.endsWith(".test.ts"))
              .map(name -> name.replace(".test.ts", ""))
              .filter(name -> !FIRST.contains(name))
              .sorted()
              .toList());
    }
  }

  /** Without windows, if it is there: it takes half of the processor time. */
  private static Path chromium() {
    Path shell = Path.of("/usr/bin/chromium-headless-shell");
    String usual = Files.isExecutable(shell) ? shell.toString() : "/usr/bin/chromium";
    return Path.of(System.getenv().getOrDefault("KYMO_CHROMIUM", usual));
  }

  private static void look(Path folder, List<String> tests) throws Exception {
    Path chromium = chromium();
    assumeTrue(Files.isExecutable(chromium), "no browser to test in: install chromium");
    assumeTrue(
        ViewerFiles.read("index.html").isPresent() && Files.exists(vitest()),
        "the viewer was not built (-Dviewer.skip)");
    File output = SourceTree.path("reading/server/target/browser-tests.txt").toFile();
    FakeTimeline keeping = KnownRecordings.shop();
    keeping.keepIn(Files.createDirectory(folder.resolve("kept.kymo")));
    try (KymoServer shop = KymoServer.start(KnownRecordings.shop(), 0);
        KymoServer kept = KymoServer.start(keeping, 0);
        KymoServer two =
            KymoServer.start(List.of(KnownRecordings.shop(), KnownRecordings.busy(7)), 0);
        Runs changed = new Runs(folder);
        Tries growing = new Tries(() -> new GrowingTimeline(true));
        Tries reading = new Tries(() -> new GrowingTimeline(false));
        KymoServer crowd = KymoServer.start(KnownRecordings.crowd(), 0);
        KymoServer busy = KymoServer.start(KnownRecordings.busy(7), 0);
        Timeline hopping = hopping(folder);
        KymoServer real = KymoServer.start(hopping, 0);
        Timeline waits = waiting(folder);
        KymoServer waiting = KymoServer.start(waits, 0);
        Timeline kernel = kernel(folder);
        KymoServer scheduling = KymoServer.start(kernel, 0);
        KymoServer kernelEvents = KymoServer.start(kernelEvents(folder), 0);
        Timeline executed = executed(folder);
        KymoServer points = KymoServer.start(executed, 0);
        Timeline sampled = sampled(folder);
        KymoServer samples = KymoServer.start(sampled, 0);
        Timeline events = own(folder);
        KymoServer own = KymoServer.start(events, 0)) {
      ProcessBuilder command = command(tests, output);
      Map<String, String> environment = command.environment();
      environment.put("KYMO_CHROMIUM", chromium.toString());
      environment.put("KYMO_SHOP", shop.uri().toString());
      environment.put("KYMO_CROWD", crowd.uri().toString());
      environment.put("KYMO_BUSY", busy.uri().toString());
      environment.put("KYMO_KEPT", kept.uri().toString());
      environment.put("KYMO_TWO", two.uri().toString());
      environment.put("KYMO_CHANGED", changed.link());
      environment.put("KYMO_REAL", real.uri().toString());
      environment.put("KYMO_WAITING", waiting.uri().toString());
      environment.put("KYMO_WAITING_PAGE", page(folder.resolve("waiting.html"), waits));
      environment.put("KYMO_KERNEL", scheduling.uri().toString());
      environment.put("KYMO_KERNEL_PAGE", page(folder.resolve("kernel.html"), kernel));
      environment.put("KYMO_KERNEL_EVENTS", kernelEvents.uri().toString());
      environment.put("KYMO_POINTS", points.uri().toString());
      environment.put("KYMO_POINTS_PAGE", page(folder.resolve("points.html"), executed));
      environment.put("KYMO_SAMPLES", samples.uri().toString());
      environment.put("KYMO_SAMPLES_PAGE", page(folder.resolve("samples.html"), sampled));
      environment.put("KYMO_OWN", own.uri().toString());
      environment.put("KYMO_OWN_PAGE", page(folder.resolve("own.html"), events));
      environment.put("KYMO_REAL_PAGE", page(folder.resolve("real.html"), hopping));
      environment.put("KYMO_SHOP_PAGE", page(folder.resolve("shop.html"), KnownRecordings.shop()));
      environment.put("KYMO_GROWING", growing.links());
      environment.put("KYMO_READING", reading.links());
      assertThat(run(command)).as(() -> failures(output)).isZero();
    }
  }

  /** Two runs of a program, the second of which was changed. */
  private static final class Runs implements AutoCloseable {
    private final Timeline old;
    private final Timeline changed;
    private final KymoServer server;

    Runs(Path folder) throws IOException {
      old = ChangedProgram.old().open(folder.resolve("old.kymo"));
      changed = ChangedProgram.changed().open(folder.resolve("new.kymo"));
      server = KymoServer.start(List.of(old, changed), 0);
    }

    String link() {
      return server.uri().toString();
    }

    @Override
    public void close() {
      server.close();
      old.close();
      changed.close();
    }
  }

  private static ProcessBuilder command(List<String> tests, File output) {
    ProcessBuilder command =
        new ProcessBuilder(
            "node", vitest().toString(), "run", "--config", "vitest.browser.config.ts");
    String chosen = System.getProperty("browser.tests");
    for (String test : chosen == null ? tests : List.of(chosen.split(","))) {
      command.command().add("test/browser/" + test + ".test.ts");
    }
    command.directory(VIEWER.toFile()).redirectErrorStream(true).redirectOutput(output);
    command.environment().put("NO_COLOR", "1");
    return command;
  }

  /** A recording for each try of a test: each can be looked at from its begin only once. */
  private static final class Tries implements AutoCloseable {
    private static final int COUNT = 3;

    private final List<KymoServer> servers = new ArrayList<>();

    Tries(Supplier<Timeline> timelines) throws IOException {
      for (int i = 0; i < COUNT; i++) {
        servers.add(KymoServer.start(timelines.get(), 0));
      }
    }

    String links() {
      return servers.stream().map(s -> s.uri().toString()).collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
      servers.forEach(KymoServer::close);
    }
  }

  /** A recording as it lies on disk; its clock counts nanoseconds, so that no sum is rounded. */
  private static Timeline hopping(Path folder) throws IOException {
    RecordingBuilder recording = HoppingThreads.recording(20261121, 6000, true);
    recording.clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, 7));
    return Timelines.open(recording.write(folder.resolve("real.kymo")), ProgressListener.NONE);
  }

  private static Timeline waiting(Path folder) throws IOException {
    Path written = WaitingProgram.small().write(folder.resolve("waiting.kymo"));
    return Timelines.open(written, ProgressListener.NONE);
  }

  private static Timeline kernel(Path folder) throws IOException {
    Path written = KernelProgram.recording().write(folder.resolve("kernel.kymo"));
    return Timelines.open(written, ProgressListener.NONE);
  }

  private static Timeline kernelEvents(Path folder) throws IOException {
    Path written = KernelProgram.withKernelEvents().write(folder.resolve("events.kymo"));
    return Timelines.open(written, ProgressListener.NONE);
  }

  private static Timeline own(Path folder) throws IOException {
    Path written = OwnProgram.recording().write(folder.resolve("own.kymo"));
    return Timelines.open(written, ProgressListener.NONE);
  }

  private static Timeline sampled(Path folder) throws IOException {
    Path written = SampledProgram.recording().write(folder.resolve("samples.kymo"));
    return Timelines.open(written, ProgressListener.NONE);
  }

  private static Timeline executed(Path folder) throws IOException {
    Path written = InstructionProgram.write(folder.resolve("points.kymo"));
    return Timelines.open(written, ProgressListener.NONE);
  }

  private static String page(Path path, Timeline timeline) throws IOException {
    try (OutputStream to = Files.newOutputStream(path)) {
      StandalonePage.write(timeline, to);
    }
    return path.toString();
  }

  private static Path vitest() {
    return VIEWER.resolve("node_modules/vitest/vitest.mjs").toAbsolutePath().normalize();
  }

  /** The exit code; leaves nothing running, whatever happens. */
  private static int run(ProcessBuilder command) throws IOException, InterruptedException {
    Process process = command.start();
    try {
      return process.waitFor(1, TimeUnit.HOURS) ? process.exitValue() : -1;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** What failed, without the hundreds of lines of what did not. */
  private static String failures(File file) {
    try {
      String output = Files.readString(file.toPath());
      return output.substring(Math.max(output.indexOf("Failed "), 0));
    } catch (IOException e) {
      return "no output: " + e.getMessage();
    }
  }
}
