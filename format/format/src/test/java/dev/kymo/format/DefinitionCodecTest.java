package dev.kymo.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DefinitionCodecTest {
  static List<Definition> all() {
    return List.of(
        new Definition.Recording("0.1", "java -jar x", "host", "6.18", "EPYC", 2, "discard"),
        new Definition.TracedProcess(1, 4711, 4710, "java X", "OpenJDK 17"),
        new Definition.TracedThread(7, Definition.TracedThread.VIRTUAL, 99, 0, "Grüße 🌍"),
        new Definition.Type(3, "a.B$C", "app", "B.java"),
        new Definition.Method(5, 3, 12, 9, "main", "([Ljava/lang/String;)V"),
        new Definition.ClockPair(1, -2, Long.MAX_VALUE),
        new Definition.ProcessEnd(1, Definition.ProcessEnd.KILLED, 12),
        new Definition.Notice(0, ""),
        new Definition.ProbeCost(1, 50_000, 9_000, 11_000, 21_000, 1_900, 300),
        new Definition.MethodMode(
            5, Definition.MethodMode.SAMPLED, Definition.MethodMode.EVENTS, "too hot"),
        new Definition.OwnCost(0, 1L << 40, 17, 3, 4),
        new Definition.ProcessorTime(1, 1L << 41, 9),
        new Definition.KernelEvent(3, "sched", "name: sched_switch\nID: 372\n"),
        new Definition.CodeLocation(0x8000_55c2_cfeb_8c7bL, 5),
        new Definition.Stack(9, 8, 5));
  }

  @ParameterizedTest
  @MethodSource("all")
  void comesBackAsItWas(Definition definition) {
    ByteBuffer buffer = put(definition);
    assertThat(buffer.get()).isEqualTo((byte) 255);
    int id = buffer.getInt();
    assertThat(buffer.getLong()).isEqualTo(0x123456789ABCDEFL);
    assertThat(DefinitionCodec.get(buffer, id)).isEqualTo(definition);
    assertThat(buffer.hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("all")
  void cutAnywhereItEndsTheBuffer(Definition definition) {
    ByteBuffer whole = put(definition);
    int id = whole.getInt(1);
    for (int end = DefinitionCodec.HEADER_SIZE; end < whole.limit(); end++) {
      ByteBuffer cut = whole.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      cut.limit(end).position(DefinitionCodec.HEADER_SIZE);
      assertThatThrownBy(() -> DefinitionCodec.get(cut, id))
          .isInstanceOf(BufferUnderflowException.class);
    }
  }

  @Test
  void longStringsAreCutBetweenCharacters() {
    ByteBuffer buffer = put(new Definition.Notice(0, "ä".repeat(5000)));
    buffer.position(DefinitionCodec.HEADER_SIZE);
    Definition.Notice notice = (Definition.Notice) DefinitionCodec.get(buffer, 7);
    assertThat(notice.text()).isEqualTo("ä".repeat(DefinitionCodec.MAX_STRING / 2));
  }

  private static ByteBuffer put(Definition definition) {
    ByteBuffer buffer =
        ByteBuffer.allocate(DefinitionCodec.MAX_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    DefinitionCodec.put(buffer, 0x123456789ABCDEFL, definition);
    return buffer.flip();
  }
}
