package dev.kymo.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.KernelEventFormat.Field;
import dev.kymo.format.KernelEventFormat.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelEventFormatTest {
  private static final String COMMON =
      """
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      """;
  private static final String FORK =
      "name: sched_process_fork\nID: 366\n"
          + COMMON
          + """
          \tfield:__data_loc char[] parent_comm;\toffset:8;\tsize:4;\tsigned:0;
          \tfield:pid_t parent_pid;\toffset:12;\tsize:4;\tsigned:1;
          \tfield:__data_loc char[] child_comm;\toffset:16;\tsize:4;\tsigned:0;
          \tfield:pid_t child_pid;\toffset:20;\tsize:4;\tsigned:1;

          print fmt: "comm=%s pid=%d", __get_str(parent_comm), REC->parent_pid
          """;
  private static final String WRITE =
      "name: sys_enter_write\nID: 840\n"
          + COMMON
          + """
          \tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;
          \tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;
          \tfield:const char * buf;\toffset:24;\tsize:8;\tsigned:0;
          \tfield:unsigned long args[6];\toffset:32;\tsize:48;\tsigned:0;
          \tfield:char comm[16];\toffset:80;\tsize:16;\tsigned:0;
          """;

  @Test
  void fieldsAreThoseOfTheKernel() {
    KernelEventFormat write = KernelEventFormat.parse("syscalls", WRITE);
    assertThat(write.name()).isEqualTo("sys_enter_write");
    assertThat(write.kernelId()).isEqualTo(840);
    assertThat(write.fixedSize()).isEqualTo(96);
    assertThat(write.fields())
        .containsExactly(
            new Field("int", "__syscall_nr", Kind.INTEGER, 8, 4, 4, true, false),
            new Field("unsigned int", "fd", Kind.INTEGER, 16, 8, 8, false, false),
            new Field("const char *", "buf", Kind.INTEGER, 24, 8, 8, false, false),
            new Field("unsigned long", "args", Kind.ARRAY, 32, 48, 8, false, false),
            new Field("char", "comm", Kind.TEXT, 80, 16, 1, false, false));
    assertThat(write.field("fd").offset()).isEqualTo(16);
    assertThat(write.has("no")).isFalse();
  }

  @Test
  void itsOwnTextSaysTheSame() {
    for (String text : List.of(FORK, WRITE)) {
      KernelEventFormat format = KernelEventFormat.parse("any", text);
      KernelEventFormat again = KernelEventFormat.parse("any", format.text());
      assertThat(again.fields()).isEqualTo(format.fields());
      assertThat(again.name()).isEqualTo(format.name());
      assertThat(again.kernelId()).isEqualTo(format.kernelId());
      assertThat(format.text()).doesNotContain("print");
    }
  }

  @Test
  void textsElsewhereInTheEventFollowTheRecord() {
    KernelEventFormat fork = KernelEventFormat.parse("sched", FORK);
    ByteBuffer event = ByteBuffer.allocate(60).order(ByteOrder.LITTLE_ENDIAN);
    int at = 20; // somewhere in a page
    event.putShort(at, (short) 366).putInt(at + 4, 1234);
    event.putInt(at + 8, 3 << 16 | 28).putInt(at + 12, 1234);
    event.putInt(at + 16, 4 << 16 | 24).putInt(at + 20, 1235);
    event.put(at + 24, "kid\0ma\0".getBytes(StandardCharsets.UTF_8));
    byte[] record = new byte[100];
    int size = KernelRecord.put(record, 5, 0x1_8000_0001L, 7, fork, event.array(), at, 40);
    ByteBuffer read = ByteBuffer.wrap(record, 5, size).slice().order(ByteOrder.LITTLE_ENDIAN);
    assertThat(size).isEqualTo(12 + 16 + 7);
    assertThat(read.getInt(0)).isEqualTo(0x8000_0001);
    assertThat(read.getShort(KernelRecord.ID_OFFSET)).isEqualTo((short) 7);
    assertThat(read.getInt(KernelRecord.TID_OFFSET)).isEqualTo(1234);
    assertThat(new String(record, 5 + 28, 7, StandardCharsets.UTF_8)).isEqualTo("ma\0kid\0");
    assertThat(KernelRecord.put(record, 0, 0, 7, fork, event.array(), at, 23)).isZero();
  }

  @Test
  void textBeyondTheEventIsNone() {
    KernelEventFormat fork = KernelEventFormat.parse("sched", FORK);
    ByteBuffer event = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    event.putInt(8, 30 << 16 | 28).putInt(16, 0xFFFF << 16 | 4);
    byte[] record = new byte[100];
    assertThat(KernelRecord.put(record, 0, 0, 7, fork, event.array(), 0, 40)).isEqualTo(28);
    assertThat(ByteBuffer.wrap(record).getInt(12)).isZero();
  }

  @Test
  void fieldsThatShareTheirTextTakeNoMoreThanTheEvent() {
    KernelEventFormat fork = KernelEventFormat.parse("sched", FORK);
    ByteBuffer event = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    event.putInt(8, 40 << 16).putInt(16, 40 << 16);
    byte[] record = new byte[KernelRecord.sizeBound(40)];
    assertThat(KernelRecord.put(record, 0, 0, 7, fork, event.array(), 0, 40)).isEqualTo(28);
  }

  @Test
  void olderKernelsDoNotSayWhetherANumberIsSigned() {
    KernelEventFormat format =
        KernelEventFormat.parse(
            "x",
            "name: a\nID: 1\n\tfield:int b;\toffset:8;\tsize:4;\n\tfield:u8 c;\toffset:12;"
                + "\tsize:1;\n");
    assertThat(format.fields())
        .containsExactly(
            new Field("int", "b", Kind.INTEGER, 8, 4, 4, false, false),
            new Field("u8", "c", Kind.INTEGER, 12, 1, 1, false, false));
  }

  @Test
  void aPlaceOfAnotherSizeIsNone() {
    KernelEventFormat format =
        KernelEventFormat.parse(
            "x", "name: a\nID: 1\nfield:__rel_loc char[] b; offset:8; size:1; signed:0;\n");
    assertThat(format.fields())
        .containsExactly(new Field("__rel_loc char[]", "b", Kind.INTEGER, 8, 1, 1, false, false));
    assertThat(format.isFixed()).isTrue();
  }

  @Test
  void aTextThatIsNoFormatIsRefused() {
    assertThatThrownBy(() -> KernelEventFormat.parse("x", "ID: 5\n"))
        .hasMessage("kernel event's format is incomplete: missing=name");
    assertThatThrownBy(() ->
            KernelEventFormat.parse(
                "x",
                """
                name: a
                ID: 1
                field:int b; offset:8; size:4; signed:1;
                field:int c; offset:10; size:4; signed:1;
                """))
        .hasMessage("kernel event's fields overlap: event=a field=c");
  }
}
