package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Lines for the plugin, as {@code recording/native/instructions/machine/entries.c} reads them. */
class KernelPlacesTest {
  private static final String SYMBOLS =
      """
      ffffffff81a00800 T asm_exc_page_fault
      ffffffff81000000 T _stext
      ffffffffc0000000 t do_task_dead\t[module]
      ffffffff81a01000 T irq_entries_start
      ffffffffc0000100 t asm_exc_module\t[module]
      ffffffff81a00c00 T asm_sysvec_apic_timer_interrupt
      ffffffff81a00000 T entry_SYSCALL_64
      ffffffff81000400 T __switch_to
      ffffffff81000400 T __switch_to_alias
      ffffffff82000000 D init_task
      ffffffff81000800 T __set_task_comm
      ffffffff81a01700 T spurious_entries_start
      ffffffff81a00850 T asm_exc_divide_error
      ffffffff81a01780 T after_the_stubs
      ffffffff81a01760 t last_of_them
      ffffffff81a01700 t spurious_alias
      0000000000001000 A asm_exc_percpu
      ffffffff81a00860 T not_asm_exc_page_fault
      """;

  private static final BtfTypes NO_TYPES = types("nothing", "nothing", 0);

  /** One structure that has one member. */
  private static BtfTypes types(String structure, String member, int bits) {
    byte[] names = ("\0" + structure + "\0" + member + "\0").getBytes(StandardCharsets.UTF_8);
    ByteBuffer all = ByteBuffer.allocate(48 + names.length).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(0x1EB9F).putInt(24).putInt(0).putInt(24).putInt(24).putInt(names.length);
    all.putInt(1).putInt(4 << 24 | 1).putInt(0);
    all.putInt(structure.length() + 2).putInt(1).putInt(bits).put(names);
    try {
      return BtfTypes.read(all.array());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void allLines() throws IOException {
    BtfTypes types = types("task_struct", "comm", 0xB50 * 8);
    assertThat(KernelPlaces.text(KernelSymbols.read(SYMBOLS), types))
        .isEqualTo(
            """
            kernel ffffffff81000000 ffffffffffffffff
            symbol __switch_to ffffffff81000400
            symbol __set_task_comm ffffffff81000800
            symbol entry_SYSCALL_64 ffffffff81a00000
            symbol init_task ffffffff82000000
            offset task_struct.comm b50
            exception ffffffff81a00800 1 page_fault
            exception ffffffff81a00850 0 divide_error
            interrupt ffffffff81a00c00 ffffffff81a00c01 apic_timer_interrupt
            interrupt ffffffff81a01000 ffffffff81a01700 device
            interrupt ffffffff81a01700 ffffffff81a01760 spurious
            """);
  }

  @Test
  void whatTheKernelHasNotIsMissing() throws IOException {
    KernelSymbols symbols = KernelSymbols.read("ffffffff81000000 T something\n");
    assertThat(KernelPlaces.text(symbols, NO_TYPES)).isEmpty();
  }

  @Test
  void lastSymbolOfAllHasNoEnd() throws IOException {
    KernelSymbols symbols = KernelSymbols.read("ffffffff81000000 T irq_entries_start\n");
    assertThat(KernelPlaces.text(symbols, NO_TYPES))
        .isEqualTo("interrupt ffffffff81000000 ffffffffffffffff device\n");
  }

  /** Intel, Software Developer's Manual, volume 3, table 6-1; AMD's has 29 as well. */
  @Test
  void exceptionsWithAnErrorCode() throws IOException {
    String[] without = {
      "divide_error",
      "debug",
      "nmi",
      "int3",
      "overflow",
      "bounds",
      "invalid_op",
      "device_not_available",
      "coproc_segment_overrun",
      "spurious_interrupt_bug",
      "coprocessor_error",
      "machine_check",
      "simd_coprocessor_error",
      "virtualization_exception"
    };
    String[] with = {
      "double_fault",
      "invalid_tss",
      "segment_not_present",
      "stack_segment",
      "general_protection",
      "page_fault",
      "alignment_check",
      "control_protection",
      "vmm_communication"
    };
    StringBuilder symbols = new StringBuilder();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < without.length + with.length; i++) {
      boolean code = i >= without.length;
      String name = code ? with[i - without.length] : without[i];
      String address = "ffffffff81a%05x".formatted(16 * i);
      symbols.append(address).append(" T asm_exc_").append(name).append('\n');
      lines.append("exception ").append(address).append(code ? " 1 " : " 0 ").append(name);
      lines.append('\n');
    }
    assertThat(KernelPlaces.text(KernelSymbols.read(symbols.toString()), NO_TYPES))
        .isEqualTo(lines.toString());
  }

  @Test
  void allOffsetsThatThePluginAsksFor() throws IOException {
    String[] members = {
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
      "dentry.d_name",
      "qstr.name",
      "dentry.d_parent"
    };
    KernelSymbols symbols = KernelSymbols.read("ffffffff81000000 T something\n");
    for (String member : members) {
      String[] words = member.split("\\.");
      assertThat(KernelPlaces.text(symbols, types(words[0], words[1], 0x123 * 8)))
          .isEqualTo("offset " + member + " 123\n");
    }
  }
}
