package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decoded pages say of every event and every field what the kernel's own text says. */
class KernelTextTest {
  private static final int EVENTS = 100_000;
  private static final int KINDS = 18;

  @TempDir Path folder;

  @Test
  void everyEventAndArgument() throws Exception {
    Tracefs tracefs = RootOnly.tracefs("KernelTextTest");
    Symbols symbols = Symbols.ofThisKernel();
    long events = 0;
    Map<String, Integer> kinds = new TreeMap<>();
    try (TracedWork work = TracedWork.busy(tracefs, 16 * 1024, 600)) {
      for (int cpu : work.instance.cpus()) {
        long overrun = work.instance.lost(cpu);
        TracedPages compared = work.compare(cpu, symbols, folder);
        assertThat(compared.differences).isEmpty();
        assertThat(compared.malformed).isZero();
        assertThat(compared.lost).isEqualTo(overrun);
        events += compared.events;
        compared.kinds.forEach((kind, count) -> kinds.merge(kind, count, Integer::sum));
      }
    }
    System.out.println("KernelTextTest compared " + events + " events: " + kinds);
    assertThat(events).isGreaterThanOrEqualTo(EVENTS);
    assertThat(kinds).hasSizeGreaterThanOrEqualTo(KINDS);
  }

  @Test
  void longGaps() throws Exception {
    Tracefs tracefs = RootOnly.tracefs("KernelTextTest");
    Symbols symbols = Symbols.ofThisKernel();
    long events = 0;
    try (TracedWork work = TracedWork.idle(tracefs)) {
      for (int cpu : work.instance.cpus()) {
        TracedPages compared = work.compare(cpu, symbols, folder);
        assertThat(compared.differences).isEmpty();
        events += compared.events;
      }
    }
    assertThat(events).isEqualTo(6);
  }
}
