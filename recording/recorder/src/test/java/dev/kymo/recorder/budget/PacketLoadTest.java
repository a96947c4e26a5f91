package dev.kymo.recorder.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketLoadTest {
  private static final long CLOCK = 0x1_FFFF_FF00L;

  @Test
  void callsAndTheirTimesAreAddedUpByMethod() {
    PacketLoad load =
        load(
            enter(0, 7),
            enter(10, 8),
            end(ThreadRecord.LEAVE, 30, 8),
            enter(40, 8),
            end(ThreadRecord.UNWIND, 100, 8),
            end(ThreadRecord.LEAVE, 110, 7),
            end(ThreadRecord.LEAVE, 120, 9));
    assertThat(load.ticks()).isEqualTo(120);
    assertThat(load.methods()).isEqualTo(2);
    assertThat(load.method(1)).isEqualTo(8);
    assertThat(load.calls(1)).isEqualTo(2);
    assertThat(load.average(1)).isEqualTo(40);
    assertThat(load.calls(0)).isEqualTo(1);
    assertThat(load.average(0)).isEqualTo(110);
  }

  @Test
  void theClockMayWrapAndBeWrittenWhole() {
    List<Long> words = new ArrayList<>();
    words.add(ThreadRecord.extendedFirst(ThreadRecord.ENTER, CLOCK));
    words.add(ThreadRecord.extendedSecond(CLOCK, 3));
    words.add(ThreadRecord.compact(ThreadRecord.LEAVE, CLOCK + 0x1000, 3));
    PacketLoad load = PacketLoad.of(words.stream().mapToLong(Long::longValue).toArray());
    assertThat(load.ticks()).isEqualTo(0x1000);
    assertThat(load.average(0)).isEqualTo(0x1000);
  }

  @Test
  void thereMayBeAnyNumberOfMethodsAndDepths() {
    int methods = 1000;
    long[] words = new long[2 * methods];
    for (int i = 0; i < methods; i++) {
      words[i] = enter(i, i);
      words[2 * methods - 1 - i] = end(ThreadRecord.LEAVE, 3 * methods - i, i);
    }
    PacketLoad load = PacketLoad.of(words);
    assertThat(load.methods()).isEqualTo(methods);
    for (int i = 0; i < methods; i++) {
      assertThat(load.calls(i)).isEqualTo(1);
      assertThat(load.average(i)).isEqualTo(3 * methods - 2.0 * i);
    }
  }

  @Test
  void anotherThreadEndsNothing() {
    PacketLoad load =
        load(enter(0, 7), end(ThreadRecord.SWITCH, 5, 2), end(ThreadRecord.LEAVE, 9, 7));
    assertThat(load.calls(0)).isEqualTo(1);
    assertThat(load.average(0)).isNaN();
  }

  private static PacketLoad load(long... words) {
    return PacketLoad.of(words);
  }

  private static long enter(long clock, int method) {
    return ThreadRecord.compact(ThreadRecord.ENTER, clock, method);
  }

  private static long end(int id, long clock, int payload) {
    return ThreadRecord.compact(id, clock, payload);
  }
}
