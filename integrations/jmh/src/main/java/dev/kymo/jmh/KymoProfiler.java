package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import dev.kymo.embedded.EmbeddedAgent;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/**
 * Records each fork of a benchmark, and says which methods were called in its measured iterations,
 * how often for each operation, for how long, and what threads waited for.
 *
 * <pre>
 *   java -jar benchmarks.jar -prof dev.kymo.jmh.KymoProfiler
 *   java -jar benchmarks.jar -prof "dev.kymo.jmh.KymoProfiler:include=shop;page"
 * </pre>
 *
 * JMH makes one object for each benchmark in its own virtual machine, and another in each fork.
 */
@Unrecorded
public final class KymoProfiler implements ExternalProfiler, InternalProfiler {
  /** Tells a fork whether it is to be recorded: {@link #YES}, or no. */
  private static final String FORK = "kymo.jmh.recorded";

  private static final String YES = "yes";
  private static final String NO = "no";

  private final ProfilerOptions options;
  private final HostRecording host;

  private int forks;

  /** The recording of the fork that was begun last; null if it is not recorded. */
  private @Nullable Path recording;

  /** In a fork, or without one: measured iterations, and their operations. */
  private int iterations;

  private long operations;
  private long timed;

  /** The profiler in lists, which JMH makes whether it is wanted or not. */
  public KymoProfiler() throws ProfilerException {
    this(ProfilerOptions.of(""));
  }

  private KymoProfiler(ProfilerOptions options) {
    this.options = options;
    this.host = new HostRecording(options);
  }

  /**
   * The profiler.
   *
   * @param options {@code name=value} or {@code name}, separated by semicolons; {@code help} shows
   *     them
   * @throws ProfilerException if one is wrong, or {@code kymo} is not installed
   */
  public KymoProfiler(String options) throws ProfilerException {
    this(ProfilerOptions.of(options));
    if (System.getProperty(FORK) == null) {
      Preflight.check(this.options);
    }
  }

  @Override
  public String getDescription() {
    return "Kymo: calls and waits of the measured iterations, from a recording of each fork";
  }

  @Override
  public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
    return List.of();
  }

  @Override
  public Collection<String> addJVMOptions(BenchmarkParams params) {
    forks++;
    recording = null;
    if (forks <= params.getWarmupForks()) {
      return List.of("-D" + FORK + "=" + NO);
    }
    Path other = EmbeddedAgent.recording();
    if (other != null) {
      throw new IllegalStateException(
          "JMH itself is recorded, and its forks would be, too; run it without kymo record, or"
              + " without this profiler: recording="
              + other);
    }
    try {
      Path created = Files.createDirectories(options.folder()).toAbsolutePath();
      recording = Places.free(created, params.id());
      return List.of(
          "-D" + FORK + "=" + YES,
          "-javaagent:" + Preflight.agent() + "=" + options.agent(recording));
    } catch (IOException e) {
      throw new IllegalStateException("no place for recordings: dir=" + options.folder(), e);
    }
  }

  @Override
  public void beforeTrial(BenchmarkParams params) {
    // all is in the options
  }

  @Override
  public Collection<? extends Result<?>> afterTrial(
      BenchmarkResult result, long pid, File stdOut, File stdErr) {
    Path of = recording;
    if (of == null) {
      return List.of();
    }
    long all = 0;
    long measured = 0;
    for (IterationResult iteration : result.getIterationResults()) {
      all += iteration.getMetadata().getAllOps();
      measured += iteration.getMetadata().getMeasuredOps();
    }
    return List.of(result(result.getParams(), of, Places.RUN, all, measured));
  }

  private KymoResult result(BenchmarkParams params, Path of, String run, long all, long measured) {
    String benchmark = params.getBenchmark();
    return new KymoResult(
        profile(of, run, all, measured),
        benchmark.substring(0, Math.max(0, benchmark.lastIndexOf('.'))),
        options.methods());
  }

  private Profile profile(Path of, String run, long all, long measured) {
    if (!Files.isDirectory(of)) {
      return Profile.none("nothing was recorded, the fork may have said why: recording=" + of);
    }
    try {
      boolean isFork = host.recording() == null;
      Answers answers = new Answers(of, run, isFork);
      Profile profile = answers.profile(all, measured);
      return options.page()
          ? profile.plus(Profile.none(answers.writePage(Places.page(of, isFork ? "" : run))))
          : profile;
    } catch (IllegalStateException e) {
      return Profile.none("recording " + of + ": " + e.getMessage());
    }
  }

  @Override
  public boolean allowPrintOut() {
    return true;
  }

  @Override
  public boolean allowPrintErr() {
    return true;
  }

  @Override
  public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
    if (NO.equals(System.getProperty(FORK))) {
      return;
    }
    if (System.getProperty(FORK) == null) {
      host.begin(params);
    }
    boolean isMeasured = iteration.getType() == IterationType.MEASUREMENT;
    if (isMeasured && iterations++ == 0) {
      Marks.begin(host.run());
    }
    Marks.iteration(isMeasured ? "measurement " + iterations : "warm-up");
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams params, IterationParams iteration, IterationResult result) {
    if (NO.equals(System.getProperty(FORK)) || iteration.getType() != IterationType.MEASUREMENT) {
      return List.of();
    }
    operations += result.getMetadata().getAllOps();
    timed += result.getMetadata().getMeasuredOps();
    if (iterations < iteration.getCount()) {
      return List.of();
    }
    Marks.end(host.run());
    Path of = host.recording();
    if (of == null) {
      return List.of();
    }
    host.awaitReports();
    return List.of(result(params, of, host.run(), operations, timed));
  }
}
