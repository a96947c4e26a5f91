package dev.kymo.importers.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.KernelEventFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MadeLayoutTest {
  @Test
  void fieldsAreWhereTheFormatSays() {
    MadeLayout layout =
        MadeLayout.of("net", "a b")
            .number("x", 1, false)
            .number("y", 8, true)
            .text("name", 4)
            .text("free text")
            .text("free-text")
            .bytes("raw")
            .build();
    KernelEventFormat format = layout.format();
    assertThat(format).hasToString("net:a_b");
    byte[] event = layout.event(0x10, 2, 77, 255, -5, "abcdef", "längs", "", new byte[] {1, 2});
    ByteBuffer bytes = ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(event[2]).isEqualTo((byte) 0x10);
    assertThat(event[3]).isEqualTo((byte) 2);
    assertThat(bytes.getInt(4)).isEqualTo(77);
    assertThat(event[format.field("x").offset()]).isEqualTo((byte) 255);
    assertThat(bytes.getLong(format.field("y").offset())).isEqualTo(-5);
    assertThat(new String(event, format.field("name").offset(), 4, StandardCharsets.UTF_8))
        .isEqualTo("abcd");
    assertThat(dynamic(bytes, format.field("free_text"))).isEqualTo("längs\0");
    assertThat(dynamic(bytes, format.field("free_text_2"))).isEqualTo("\0");
    assertThat(dynamic(bytes, format.field("raw"))).isEqualTo("\1\2");
    assertThat(format.field("raw").kind()).isEqualTo(KernelEventFormat.Kind.DYNAMIC_BYTES);
  }

  private static String dynamic(ByteBuffer event, KernelEventFormat.Field field) {
    int where = event.getInt(field.offset());
    byte[] text = new byte[where >>> 16];
    event.get(where & 0xFFFF, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  @Test
  void textsThatAreTooLongAreCut() {
    MadeLayout layout = MadeLayout.of("x", "y").text("a").text("b").text("c").build();
    byte[] event = layout.event(0, 0, 1, "1".repeat(50_000), "2".repeat(50_000), "3");
    ByteBuffer bytes = ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(dynamic(bytes, layout.format().field("a"))).hasSize(50_001);
    assertThat(dynamic(bytes, layout.format().field("b"))).hasSize(0xFFFF - 20 - 50_001);
    assertThat(bytes.getInt(layout.format().field("c").offset())).isZero();
  }

  @Test
  void statesAreMadeOfKnownLayouts() {
    assertThat(KnownLayouts.of("sched_switch").orElseThrow().format().field("prev_state").size())
        .isEqualTo(8);
    assertThat(KnownLayouts.subsystem("sched_stat_runtime")).isEqualTo("sched");
    assertThat(KnownLayouts.subsystem("local_timer_entry")).isEqualTo("irq_vectors");
    assertThat(KnownLayouts.subsystem("thermal_temperature")).isEqualTo("events");
    assertThat(KnownLayouts.of("thermal_temperature")).isEmpty();
  }
}
