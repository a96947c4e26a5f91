package dev.kymo.importers.ctf;

import dev.kymo.format.Clock;
import dev.kymo.importers.ctf.stream.CtfEventKind;
import dev.kymo.importers.ctf.stream.CtfMerger;
import dev.kymo.importers.ctf.stream.CtfStream;
import dev.kymo.importers.ctf.stream.CtfTrace;
import dev.kymo.importers.ctf.type.ClockClass;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One import: all events of all traces, in the order of their times. */
final class CtfImport {
  private static final long NANOS = 1_000_000_000L;
  private static final int PROGRESS_EVERY = 10_000;

  private final ForeignFile file;
  private final List<CtfTrace> traces;
  private final List<CtfEventKind> kinds;
  private final CtfMerger events;

  /** What is subtracted from times since the clocks' origin. */
  private long base;

  CtfImport(ForeignFile file, List<CtfTrace> traces, List<CtfEventKind> kinds, CtfMerger events) {
    this.file = file;
    this.traces = traces;
    this.kinds = kinds;
    this.events = events;
  }

  void convert(Import to) throws IOException {
    long first = events.first();
    ClockClass clock = clock();
    base = Math.min(clock.isWall() ? clock.nanosAt(0) : 0, first);
    Clock axis = new Clock(Clock.MONOTONIC, NANOS, base);
    try (Target target = to.begin(axis, first - base, source(), Order.BY_TIME)) {
      new Run(to, target).all();
    }
  }

  /** The clock whose zero is the recording's. */
  private ClockClass clock() {
    for (CtfStream stream : events.streams()) {
      if (stream.clock().isWall()) {
        return stream.clock();
      }
    }
    return ClockClass.UNKNOWN;
  }

  private Source source() {
    String host = Environment.first(traces, "hostname", "host", "name");
    String system = Environment.first(traces, "sysname", "system");
    String release = Environment.first(traces, "kernel_release", "release");
    String format = traces.get(0).classes().version() == 1 ? "CTF 1.8" : "CTF 2";
    return new Source(
        format,
        file.name(),
        host.isEmpty() ? "unknown" : host,
        release.isEmpty() ? "unknown" : (system + " " + release).strip(),
        "unknown",
        processors());
  }

  private int processors() {
    int most = 0;
    for (CtfStream stream : events.streams()) {
      most = Math.max(most, stream.cpu() + 1);
    }
    return most;
  }

  /** The events go to those who know what becomes of them. */
  private final class Run {
    private final Import to;
    private final Target target;
    private final UserEvents users;
    private final @Nullable KernelEvents kernel;
    private final long[] counts = new long[kinds.size()];
    private final String[] became = new String[kinds.size()];
    private final long size;

    Run(Import to, Target target) throws IOException {
      this.to = to;
      this.target = target;
      this.users = new UserEvents(target, kinds.size());
      this.kernel = KernelEvents.of(target, traces, events.streams(), kinds.size());
      this.size = size();
    }

    private long size() throws IOException {
      long sum = 0;
      for (CtfTrace trace : traces) {
        try (Stream<Path> files = Files.list(trace.directory())) {
          for (Path path : files.filter(Files::isRegularFile).toList()) {
            sum += Files.size(path);
          }
        }
      }
      return sum;
    }

    void all() throws IOException {
      long count = 0;
      for (CtfStream in = events.next(); in != null; in = events.next()) {
        CtfEventKind kind = in.kind();
        long clock = in.nanos() - base;
        if (kind == null) {
          lose(in, clock);
        } else {
          became[kind.number()] =
              kernel != null && kernel.takes(in)
                  ? kernel.event(in, kind, clock)
                  : users.event(in, kind, clock);
          counts[kind.number()]++;
        }
        if (++count % PROGRESS_EVERY == 0) {
          progress();
        }
      }
      finish();
    }

    private void lose(CtfStream in, long clock) throws IOException {
      long count = in.lostEvents();
      if (in.lostPackets() > 0) {
        target
            .troubles()
            .count(
                "packets are missing; each is counted as one event",
                "file=%s time=%d packets=%d".formatted(in.path(), clock, in.lostPackets()));
        count += in.lostPackets();
      }
      if (kernel != null && kernel.takes(in)) {
        kernel.lose(in, clock, count);
      } else {
        users.lose(in, clock, count);
      }
    }

    private void progress() {
      long done = 0;
      for (CtfStream stream : events.streams()) {
        done += stream.done();
      }
      to.progress().at(done, size);
    }

    private void finish() throws IOException {
      for (CtfEventKind kind : kinds) {
        if (counts[kind.number()] > 0) {
          target.tally().count(kind.name(), became[kind.number()], counts[kind.number()]);
        }
      }
      boolean untimed = false;
      for (CtfStream stream : events.streams()) {
        untimed |= !stream.isTimed();
        if (stream.isUnusedLeft()) {
          target
              .troubles()
              .count(
                  "the unused rest of a tracer's buffer was passed over", "file=" + stream.path());
        }
      }
      if (untimed && target.tally().total() > 0) {
        target.notice("events of streams without a clock are 1 ns apart, in their order");
      }
      progress();
    }
  }
}
