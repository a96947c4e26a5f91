package dev.kymo.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class EventFieldsTest {
  @Test
  void dataOfEachType() {
    EventFields fields =
        EventFields.parse(
            "u8 a; u16 b; u32 c; u64 d; i8 e; i16 f; i32 g; i64 h; f32 i; f64 j; bool k; str l;"
                + " bytes m;");
    ByteBuffer data = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    data.put((byte) -1).putShort((short) -1).putInt(-1).putLong(-1);
    data.put((byte) -1).putShort((short) -2).putInt(-3).putLong(-4);
    data.putFloat(1.5f).putDouble(2.5).put((byte) 1);
    data.putShort((short) 3).put("ä.".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    data.putShort((short) 2).put((byte) 0x0a).put((byte) 0xff).flip();
    assertThat(fields.text(fields.values(data)))
        .isEqualTo(
            "a=255 b=65535 c=4294967295 d=18446744073709551615 e=-1 f=-2 g=-3 h=-4 i=1.5 j=2.5"
                + " k=true l=ä. m=0aff");
    assertThat(data.hasRemaining()).isFalse();
    assertThat(fields.isArgument()).isFalse();
  }

  @Test
  void dataThatEndEarly() {
    EventFields fields = EventFields.parse("u32 size; str owner;");
    ByteBuffer data = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    data.putInt(7).putShort((short) 9).flip();
    assertThat(fields.text(fields.values(data))).isEqualTo("size=7");
  }

  @Test
  void oneNumberOfData() {
    EventFields fields =
        EventFields.parse("u32 size; str owner; i16 rest; f32 no; bytes end; u8 x;");
    ByteBuffer data = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    data.putInt(-1).putShort((short) 3).put(new byte[] {'a', 'b', 'c'}).putShort((short) -7);
    data.putFloat(1).putShort((short) 2).put((byte) 0).flip(); // its second byte is missing
    long[] numbers = new long[6];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = fields.number(data.duplicate().order(ByteOrder.LITTLE_ENDIAN), i, 99);
    }
    assertThat(numbers).containsExactly(0xFFFF_FFFFL, 99, -7, 99, 99, 99);
    ByteBuffer nothing = ByteBuffer.allocate(0);
    assertThat(fields.number(nothing.duplicate(), 0, 5)).isEqualTo(5);
    assertThat(fields.number(nothing.duplicate(), 2, 5)).isEqualTo(5);
  }

  @Test
  void oneNumberIsTheArgument() {
    assertThat(EventFields.parse("").isArgument()).isTrue();
    assertThat(EventFields.parse("").values(5)).isEmpty();
    EventFields number = EventFields.parse("f64 load;");
    assertThat(number.isArgument()).isTrue();
    assertThat(number.text(number.values(Double.doubleToRawLongBits(0.5)))).isEqualTo("load=0.5");
    assertThat(EventFields.parse("str name").isArgument()).isFalse();
  }

  @Test
  void whatIsNoField() {
    assertThatThrownBy(() -> EventFields.parse("u64 size; string owner;"))
        .hasMessage("not a type and a name: field=\"string owner\"");
  }
}
