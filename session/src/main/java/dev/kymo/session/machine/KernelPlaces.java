package dev.kymo.session.machine;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The facts that the plugin has to know of a kernel, one a line: where it looks when the kernel
 * comes by, where things lie in the kernel's structures, and which code the processor enters by
 * itself.
 */
final class KernelPlaces {
  private static final List<String> SYMBOLS =
      List.of(
          "__switch_to",
          "do_task_dead",
          "__set_task_comm",
          "perf_event_mmap",
          "entry_SYSCALL_64",
          "init_task",
          "__per_cpu_offset");

  private static final List<String> OF_PROCESSORS = List.of("runqueues");

  private static final List<String> MEMBERS =
      List.of(
          "task_struct.pid",
          "task_struct.tgid",
          "task_struct.comm",
          "task_struct.mm",
          "task_struct.real_parent",
          "vm_area_struct.vm_start",
          "vm_area_struct.vm_end",
          "vm_area_struct.vm_pgoff",
          "vm_area_struct.vm_flags",
          "vm_area_struct.vm_file",
          "file.f_path",
          "path.dentry",
          "path.mnt",
          "dentry.d_name",
          "qstr.name",
          "dentry.d_parent",
          "rq.cfs_tasks",
          "rq.rt",
          "rt_rq.active",
          "rt_rq.rt_nr_running",
          "rt_prio_array.queue",
          "task_struct.se",
          "sched_entity.group_node",
          "task_struct.rt",
          "sched_rt_entity.run_list");

  /** Exceptions for which the processor pushes an error code. */
  private static final Set<String> WITH_CODE =
      Set.of(
          "page_fault",
          "general_protection",
          "double_fault",
          "stack_segment",
          "segment_not_present",
          "invalid_tss",
          "alignment_check",
          "control_protection",
          "vmm_communication");

  private static final String EXCEPTION = "asm_exc_";
  private static final String INTERRUPT = "asm_sysvec_";

  private final KernelSymbols symbols;
  private final BtfTypes types;
  private final StringBuilder text = new StringBuilder();

  private KernelPlaces(KernelSymbols symbols, BtfTypes types) {
    this.symbols = symbols;
    this.types = types;
  }

  /** The facts as lines; what the kernel does not have is missing. */
  static String text(KernelSymbols symbols, BtfTypes types) throws IOException {
    KernelPlaces places = new KernelPlaces(symbols, types);
    symbols.address("_stext").ifPresent(begin -> places.line("kernel %x %x".formatted(begin, -1L)));
    for (String name : SYMBOLS) {
      symbols
          .address(name)
          .ifPresent(address -> places.line("symbol %s %x".formatted(name, address)));
    }
    for (String name : OF_PROCESSORS) {
      symbols.offset(name).ifPresent(offset -> places.line("symbol %s %x".formatted(name, offset)));
    }
    places.offsets();
    places.entries();
    places.stubs("irq_entries_start", "device");
    places.stubs("spurious_entries_start", "spurious");
    return places.text.toString();
  }

  private void offsets() throws IOException {
    for (String member : MEMBERS) {
      String[] words = member.split("\\.");
      OptionalLong offset = types.offset(words[0], words[1]);
      offset.ifPresent(bytes -> line("offset %s %x".formatted(member, bytes)));
    }
  }

  private void entries() {
    for (KernelSymbols.Symbol each : symbols.sorted()) {
      if (each.name().startsWith(EXCEPTION)) {
        String name = each.name().substring(EXCEPTION.length());
        line(
            "exception %x %d %s".formatted(each.address(), WITH_CODE.contains(name) ? 1 : 0, name));
      } else if (each.name().startsWith(INTERRUPT)) {
        String name = each.name().substring(INTERRUPT.length());
        line("interrupt %x %x %s".formatted(each.address(), each.address() + 1, name));
      }
    }
  }

  /** One symbol for many small entries. */
  private void stubs(String symbol, String name) {
    symbols
        .address(symbol)
        .ifPresent(begin -> line("interrupt %x %x %s".formatted(begin, symbols.end(begin), name)));
  }

  private void line(String words) {
    text.append(words).append('\n');
  }
}
