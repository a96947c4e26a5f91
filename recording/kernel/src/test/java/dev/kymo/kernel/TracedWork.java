package dev.kymo.kernel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Many kinds of events in an instance that is off again, as raw pages and as the kernel's text. */
final class TracedWork implements AutoCloseable {
  /** Child processes, pipes, signals, files, maps; {@code %d} says how much of it. */
  private static final String WORK =
      """
      n=%d
      dd if=/dev/zero of=/dev/null bs=1 count=$((n * 50)) &
      seq 1 $((n * 10)) | cat | wc -l
      trap : USR1
      i=0; while [ $i -lt $n ]; do kill -USR1 $$; i=$((i + 1)); done
      i=0; while [ $i -lt $((n / 20)) ]; do (exit 3); ls / >/dev/null; i=$((i + 1)); done
      sleep 0.02 & p=$!; kill $p; wait
      d=$(mktemp -d); f=$d/$(printf '%%0150d' 1); ln -s /bin/true $f; $f; rm -r $d
      """;

  final TraceInstance instance;
  final List<KernelEventFormat> formats = new ArrayList<>();

  private TracedWork(Tracefs tracefs, int bufferKb) throws IOException {
    instance = TraceInstance.open(tracefs, Clock.TSC, bufferKb, System.out::println);
  }

  /** All services. */
  static TracedWork busy(Tracefs tracefs, int bufferKb, int amount) throws Exception {
    return busy(tracefs, bufferKb, amount, 0);
  }

  /**
   * All services, with pages as larger kernels have them.
   *
   * @param pageKb 0: the kernel's own
   */
  static TracedWork busy(Tracefs tracefs, int bufferKb, int amount, int pageKb) throws Exception {
    Set<String> events = new HashSet<>(Service.parse("all"));
    events.addAll(Set.of("signal:signal_generate", "sched:sched_wakeup_new"));
    TracedWork work = new TracedWork(tracefs, bufferKb);
    if (pageKb != 0) {
      work.setPages(pageKb);
    }
    work.run(events, WORK.formatted(amount));
    return work;
  }

  /** Few events with gaps that need more than the 27 bits of a delta: nobody else has this name. */
  static TracedWork idle(Tracefs tracefs) throws Exception {
    TracedWork work = new TracedWork(tracefs, 1024);
    String name = "idle" + ProcessHandle.current().pid();
    Tracefs.write(
        work.instance.path().resolve("events/task/task_rename/filter"),
        "newcomm ~ \"%s*\"".formatted(name));
    work.run(
        Set.of("task:task_rename"),
        "for i in 1 2 3 4 5 6; do printf %s$i >/proc/$$/comm; sleep 0.15; done".formatted(name));
    return work;
  }

  private void setPages(int kilobytes) throws IOException {
    try {
      Path file = instance.path().resolve("buffer_subbuf_size_kb");
      assumeTrue(Files.exists(file), "skipped: this kernel has one size of pages");
      Tracefs.write(file, Integer.toString(kilobytes));
    } catch (IOException | RuntimeException e) {
      instance.close();
      throw e;
    }
  }

  private void run(Set<String> events, String command) throws Exception {
    try {
      Tracefs.write(instance.path().resolve("trace_options"), "nohash-ptr");
      for (String event : events) {
        if (instance.format(event).isPresent()) {
          formats.add(instance.format(event).get());
          instance.enable(event, true);
        }
      }
      instance.tracing(true);
      RootOnly.shell(command);
      instance.tracing(false);
    } catch (Exception | Error e) {
      instance.close();
      throw e;
    }
  }

  /** The kernel's text of a processor's events; does not remove them. */
  void text(int cpu, boolean fields, Path to) throws IOException {
    Tracefs.write(instance.path().resolve("options/fields"), fields ? "1" : "0");
    try (var in = Files.newInputStream(instance.path().resolve("per_cpu/cpu" + cpu + "/trace"));
        var out = Files.newOutputStream(to)) {
      byte[] part = new byte[1 << 16]; // transferTo believes the length that the file says: 0
      for (int n = in.read(part); n > 0; n = in.read(part)) {
        out.write(part, 0, n);
      }
    }
  }

  /** Compares all of a processor's events. */
  TracedPages compare(int cpu, Symbols symbols, Path folder) throws IOException {
    Path usual = folder.resolve("usual-" + cpu);
    Path fields = folder.resolve("fields-" + cpu);
    text(cpu, false, usual);
    text(cpu, true, fields);
    PageLayout layout = PageLayout.parse(instance.read("events/header_page"));
    try (BufferedReader usualText = Files.newBufferedReader(usual);
        BufferedReader fieldsText = Files.newBufferedReader(fields)) {
      TracedPages pages = new TracedPages(layout, formats, symbols, usualText, fieldsText);
      for (byte[] page : pages(cpu, layout)) {
        pages.page(page);
      }
      pages.end();
      return pages;
    }
  }

  /** Takes all pages of a processor out of the buffer. */
  List<byte[]> pages(int cpu, PageLayout layout) {
    List<byte[]> pages = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      CpuBuffer buffer = new CpuBuffer(instance.path(), cpu, layout.pageSize(), arena);
      byte[] page = new byte[layout.pageSize()];
      while (buffer.read(page)) {
        pages.add(page.clone());
      }
      buffer.close();
    }
    return pages;
  }

  @Override
  public void close() throws KernelException {
    instance.close();
  }
}
