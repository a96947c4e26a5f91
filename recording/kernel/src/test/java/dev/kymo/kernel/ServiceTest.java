package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.KernelEventFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServiceTest {
  @Test
  void lists() {
    assertThat(Service.parse("cswitch, sched:sched_stat_runtime,syscalls:*"))
        .contains("sched:sched_switch", "sched:sched_stat_runtime", "syscalls:*")
        .containsAll(Service.ALWAYS)
        .hasSize(4 + Service.ALWAYS.size());
    assertThat(Service.parse("all")).containsAll(Service.events(List.of(Service.values())));
    assertThat(Service.parse("ipc-shortcut"))
        .containsAll(Service.events(List.of(Service.IPC_SHORTCUT)));
    assertThat(Service.events(List.of())).isEmpty();
  }

  @Test
  void unknownNames() {
    assertThatThrownBy(() -> Service.parse("cswitch,irqs"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown kernel service: name=irqs; there are ipc, pagefault, unmap, cswitch,"
                + " ipc-shortcut, irq, timer, thread-regs, all, and any event as subsystem:event");
    assertThatThrownBy(() -> Service.parse(" ,"))
        .hasMessageStartingWith("no kernel service is named: list= ,; there are ipc, ");
    for (String bad : List.of("../x:y", "sched:../../x", "a:b:c", "a/b:c", ":x", "x:")) {
      assertThatThrownBy(() -> Service.parse(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void ids() {
    for (Service service : Service.values()) {
      assertThat(Service.of(service.id())).contains(service);
    }
    assertThat(Service.of("IPC")).isEmpty();
  }

  /** All that can be enabled in this kernel can be described in a recording. */
  @Test
  void everyEventOfThisKernel() throws Exception {
    Tracefs tracefs = RootOnly.tracefs("ServiceTest.everyEventOfThisKernel");
    int events = 0;
    try (Stream<Path> files = Files.walk(tracefs.root().resolve("events"), 3)) {
      for (Path file :
          files
              .filter(f -> f.endsWith("enable") && Files.exists(f.resolveSibling("id")))
              .toList()) {
        String subsystem = String.valueOf(file.getName(file.getNameCount() - 3));
        String text = Tracefs.read(file.resolveSibling("format"));
        KernelEventFormat format = KernelEventFormat.parse(subsystem, text);
        assertThat(KernelEventFormat.parse(subsystem, format.text()).fields())
            .isEqualTo(format.fields());
        events++;
      }
    }
    assertThat(events).isGreaterThan(500);
  }
}
