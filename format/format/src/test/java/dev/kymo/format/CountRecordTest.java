package dev.kymo.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class CountRecordTest {
  @Test
  void comesBackAsItWas() {
    CountRecord record = record();
    ByteBuffer bytes = bytes(record);
    assertThat(bytes.get()).isEqualTo((byte) 255);
    assertThat(bytes.getInt()).isZero();
    assertThat(bytes.getLong()).isEqualTo(0x123456789ABCDEFL);
    CountRecord read = CountRecord.get(bytes, CountRecord.COUNTED);
    assertThat(bytes.hasRemaining()).isFalse();
    assertThat(read).usingRecursiveComparison().isEqualTo(record);
  }

  @Test
  void cutAnywhereItEndsTheBuffer() {
    ByteBuffer whole = bytes(record());
    for (int end = CountRecord.HEADER_SIZE; end < whole.limit(); end++) {
      ByteBuffer cut = whole.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      cut.limit(end).position(CountRecord.HEADER_SIZE);
      assertThatThrownBy(() -> CountRecord.get(cut, CountRecord.COUNTED))
          .isInstanceOf(BufferUnderflowException.class);
    }
  }

  @Test
  void absurdBucketsAreRefused() {
    ByteBuffer bytes = bytes(record());
    bytes.putInt(65, -1).position(CountRecord.HEADER_SIZE);
    assertThatThrownBy(() -> CountRecord.get(bytes, CountRecord.COUNTED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("too many buckets: n=4294967295");
    bytes.putInt(65, 1).put(69, (byte) 49).position(CountRecord.HEADER_SIZE);
    assertThatThrownBy(() -> CountRecord.get(bytes, CountRecord.COUNTED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such bucket: bucket=49");
  }

  @Test
  void bucketsJoinWithoutGaps() {
    for (int bucket = 1; bucket < CountersLayout.BUCKETS; bucket++) {
      long bound = CountersLayout.lowerBound(bucket);
      assertThat(CountersLayout.bucket(bound)).isEqualTo(bucket);
      assertThat(CountersLayout.bucket(bound - 1)).isEqualTo(bucket - 1);
    }
    assertThat(CountersLayout.bucket(Long.MAX_VALUE)).isEqualTo(CountersLayout.BUCKETS - 1);
    assertThat(CountersLayout.bucket(0)).isZero();
  }

  @Test
  void detailKeepsBothNumbers() {
    long detail = ThreadRecord.detail(-1, 0xFFFFFF);
    assertThat(ThreadRecord.detailObject(detail)).isEqualTo(-1);
    assertThat(ThreadRecord.detailOther(detail)).isEqualTo(0xFFFFFF);
  }

  private static CountRecord record() {
    int[] histogram = new int[CountersLayout.BUCKETS];
    histogram[0] = 1;
    histogram[48] = -1;
    return new CountRecord(
        1, 0xFFFFFF, Definition.MethodMode.TIMED, 1L << 40, 2, 3, 4, 5, histogram);
  }

  private static ByteBuffer bytes(CountRecord record) {
    ByteBuffer bytes = ByteBuffer.allocate(CountRecord.MAX_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    record.put(bytes, 0x123456789ABCDEFL);
    return bytes.flip();
  }
}
