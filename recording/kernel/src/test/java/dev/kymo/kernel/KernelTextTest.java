package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decoded pages say of every event and every field what the kernel's own text says. */
class KernelTextTest {
  private static final int EVENTS_PER_WORK = 160;
  private static final int KINDS = 18;

  @TempDir Path folder;

  /** The kernel's own pages, and such as kernels for ARM64 may have. */
  @ParameterizedTest
  @CsvSource({"0, 600", "16, 100", "64, 100"})
  void everyEventAndArgument(int pageKb, int amount) throws Exception {
    Tracefs tracefs = RootOnly.tracefs("KernelTextTest");
    Symbols symbols = Symbols.ofThisKernel();
    long events = 0;
    Map<String, Integer> kinds = new TreeMap<>();
    try (TracedWork work = TracedWork.busy(tracefs, 16 * 1024, amount, pageKb)) {
      PageLayout layout = PageLayout.parse(work.instance.read("events/header_page"));
      assertThat(pageKb).isIn(0, layout.pageSize() / 1024);
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
    assertThat(events).isGreaterThanOrEqualTo((long) EVENTS_PER_WORK * amount);
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
