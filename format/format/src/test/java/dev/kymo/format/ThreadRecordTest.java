package dev.kymo.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ThreadRecordTest {
  @Test
  void compactWordHoldsIdClockAndPayload() {
    long word = ThreadRecord.compact(ThreadRecord.LEAVE, 0x1_2345_6789L, 0xABCDEF);
    assertThat(word).isEqualTo(0xABCDEF_23456789_01L);
    assertThat(ThreadRecord.id(word)).isEqualTo(ThreadRecord.LEAVE);
    assertThat(ThreadRecord.clockLow(word)).isEqualTo(0x23456789);
    assertThat(ThreadRecord.payload(word)).isEqualTo(0xABCDEF);
  }

  @Test
  void extendedWordsHoldTheWholeClock() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      long clock = random.nextLong();
      int id = random.nextInt();
      int payload = random.nextInt(ThreadRecord.MAX_PAYLOAD + 1);
      long first = ThreadRecord.extendedFirst(id & 0xFFFFFF, clock);
      long second = ThreadRecord.extendedSecond(clock, payload);
      assertThat(ThreadRecord.id(first)).isEqualTo(ThreadRecord.EXTENDED);
      assertThat(ThreadRecord.extendedId(first)).isEqualTo(id & 0xFFFFFF);
      assertThat(ThreadRecord.extendedClock(first, second)).isEqualTo(clock);
      assertThat(ThreadRecord.payload(second)).isEqualTo(payload);
    }
  }

  @Test
  void highHalfIsCarriedForwardOverOneWrap() {
    assertThat(ThreadRecord.clock(0x5_0000_0010L, 0x20)).isEqualTo(0x5_0000_0020L);
    assertThat(ThreadRecord.clock(0x5_FFFF_FFF0L, 0x20)).isEqualTo(0x6_0000_0020L);
    assertThat(ThreadRecord.clock(0x5_0000_0010L, 0x10)).isEqualTo(0x5_0000_0010L);
  }
}
