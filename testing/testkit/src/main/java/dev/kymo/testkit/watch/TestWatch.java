package dev.kymo.testkit.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes a line for each test class into {@code target/test-times}: its name, milliseconds elapsed,
 * milliseconds of processor time of this process and the programs it has waited for, how often it
 * started {@code kymo}, and how often other programs. {@code ./test} prints the slowest.
 */
public final class TestWatch implements TestExecutionListener {
  private final Watchdog watchdog = new Watchdog();
  private StartedPrograms started = new StartedPrograms();
  private final Map<String, Begun> running = new ConcurrentHashMap<>();
  private final Queue<Taken> classes = new ConcurrentLinkedQueue<>();

  private record Begun(Instant time, long processorMillis) {}

  /** What a class took. */
  private record Taken(String name, Instant begin, Instant end, long processorMillis) {
    private String line(List<StartedPrograms.Start> starts) {
      int kymo = 0;
      int others = 0;
      for (StartedPrograms.Start start : starts) {
        if (!start.time().isBefore(begin) && start.time().isBefore(end)) {
          kymo += start.isKymo() ? 1 : 0;
          others += start.isKymo() ? 0 : 1;
        }
      }
      long elapsed = Duration.between(begin, end).toMillis();
      return name + "\t" + elapsed + "\t" + processorMillis + "\t" + kymo + "\t" + others + "\n";
    }
  }

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    // With several forks, each class is a plan of its own, and all have this listener.
    watchdog.start();
    classes.clear();
    started = new StartedPrograms();
    started.begin();
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      watchdog.begun(test.getUniqueId());
    } else if (isClass(test)) {
      running.put(test.getUniqueId(), new Begun(Instant.now(), ProcessorTime.millis()));
    }
  }

  /** Not those in a class, which belong to it. */
  private static boolean isClass(TestIdentifier test) {
    return test.getSource().filter(ClassSource.class::isInstance).isPresent()
        && !test.getLegacyReportingName().contains("$");
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    watchdog.ended(test.getUniqueId());
    Begun begun = running.remove(test.getUniqueId());
    if (begun != null) {
      long processorMillis = ProcessorTime.millis() - begun.processorMillis;
      classes.add(
          new Taken(test.getLegacyReportingName(), begun.time, Instant.now(), processorMillis));
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    try (StartedPrograms programs = started) {
      List<StartedPrograms.Start> starts = programs.end();
      String lines =
          classes.stream().map(taken -> taken.line(starts)).collect(Collectors.joining());
      Path folder = Files.createDirectories(Path.of("target", "test-times"));
      Files.writeString(
          folder.resolve(ProcessHandle.current().pid() + ".tsv"),
          lines,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
