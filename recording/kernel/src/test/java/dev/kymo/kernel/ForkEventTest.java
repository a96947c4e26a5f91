package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.KernelRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes are put behind the kernel's fields, and the names stay what they were. */
class ForkEventTest {
  private static final KernelEventFormat KERNELS =
      KernelEventFormat.parse(
          "sched",
          """
          name: sched_process_fork
          ID: 366
          field:__data_loc char[] parent_comm; offset:8; size:4; signed:0;
          field:pid_t parent_pid; offset:12; size:4; signed:1;
          field:__data_loc char[] child_comm; offset:16; size:4; signed:0;
          field:pid_t child_pid; offset:20; size:4; signed:1;
          """);

  @Test
  void processesStandBehindTheFields() {
    ByteBuffer event = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
    int at = 8; // somewhere in a page
    event.putInt(at + 8, 3 << 16 | 24).putInt(at + 12, 50);
    event.putInt(at + 16, 4 << 16 | 27).putInt(at + 20, 51);
    event.put(at + 24, "ma\0kid\0".getBytes(StandardCharsets.UTF_8));
    ForkEvent fork = ForkEvent.among(List.of(KERNELS));
    assertThat(fork).isNotNull();
    assertThat(fork.parent(event.array(), at)).isEqualTo(50);
    assertThat(fork.child(event.array(), at)).isEqualTo(51);
    byte[] with = fork.with(event.array(), at, 32, 40, 41);
    KernelEventFormat recorded = ForkEvent.recorded(List.of(KERNELS)).getFirst();
    byte[] record = new byte[100];
    int size = KernelRecord.put(record, 0, 9, 2, recorded, with, 0, ForkEvent.size(32));
    ByteBuffer read = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(size).isEqualTo(KernelRecord.CLOCK_SIZE + 32 + 7);
    assertThat(number(read, recorded, "parent_pid")).isEqualTo(50);
    assertThat(number(read, recorded, "child_pid")).isEqualTo(51);
    assertThat(number(read, recorded, "parent_tgid")).isEqualTo(40);
    assertThat(number(read, recorded, "child_tgid")).isEqualTo(41);
    assertThat(new String(record, KernelRecord.CLOCK_SIZE + 32, 7, StandardCharsets.UTF_8))
        .isEqualTo("ma\0kid\0");
  }

  @Test
  void otherEventsStayAsTheyAre() {
    KernelEventFormat other = KernelEventFormat.parse("sched", "name: sched_stat\nID: 3\n");
    assertThat(ForkEvent.recorded(List.of(other))).containsExactly(other);
    assertThat(ForkEvent.among(List.of(other))).isNull();
  }

  private static int number(ByteBuffer record, KernelEventFormat format, String field) {
    return record.getInt(KernelRecord.CLOCK_SIZE + format.field(field).offset());
  }
}
