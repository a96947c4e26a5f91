package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.KernelEventFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Pages made by hand, merged. */
class EventMergeTest {
  private static final PageLayout LAYOUT = new PageLayout(0, 8, 8, 16, 4080);
  private static final EventTable TABLE =
      EventTable.EMPTY.with(
          List.of(
              KernelEventFormat.parse("t", "name: other\nID: 9\n"),
              KernelEventFormat.parse("t", "name: event\nID: 300\n")));

  private final List<String> delivered = new ArrayList<>();
  private final KernelSink sink =
      new KernelSink() {
        @Override
        public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {
          int tid = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4);
          delivered.add("%d %d: event %d of %d, %d bytes".formatted(clock, cpu, event, tid, size));
        }

        @Override
        public void lost(int cpu, long from, long to, long count) {
          delivered.add("%d %d: %d lost until %d".formatted(from, cpu, count, to));
        }

        @Override
        public void upTo(long clock) {
          delivered.add("up to " + clock);
        }
      };

  private static void fill(CpuQueue queue, long lost, long... clocks) {
    ByteBuffer page = ByteBuffer.wrap(queue.free()).order(ByteOrder.LITTLE_ENDIAN);
    long flags = lost == 0 ? 0 : lost < 0 ? 1L << 31 : 3L << 30;
    page.putLong(clocks[0]).putLong(flags | 12L * clocks.length);
    long before = clocks[0];
    for (long clock : clocks) {
      page.putInt((int) (clock - before) << 5 | 2).putShort((short) 300).putShort((short) 0);
      page.putInt((int) clock + 5);
      before = clock;
    }
    page.putLong(lost);
    queue.added();
  }

  private void deliver(EventMerge merge, List<CpuQueue> queues, long until) {
    merge.deliver(queues, until, TABLE, sink);
    merge.upTo(until, sink);
  }

  @Test
  void roundsGoOnWhereTheyWere() {
    CpuQueue a = new CpuQueue(0, LAYOUT, 9);
    CpuQueue b = new CpuQueue(3, LAYOUT, 9);
    EventMerge merge = new EventMerge(2, 3);
    fill(a, 0, 10, 20, 30);
    fill(b, 0, 10, 15, 40);
    deliver(merge, List.of(a, b), 20);
    deliver(merge, List.of(a, b), 20);
    fill(a, 0, 50);
    deliver(merge, List.of(a, b), 100);
    assertThat(delivered)
        .containsExactly(
            "10 0: event 1 of 15, 8 bytes",
            "10 3: event 1 of 15, 8 bytes",
            "15 3: event 1 of 20, 8 bytes",
            "up to 20",
            "20 0: event 1 of 25, 8 bytes",
            "30 0: event 1 of 35, 8 bytes",
            "40 3: event 1 of 45, 8 bytes",
            "50 0: event 1 of 55, 8 bytes",
            "up to 100");
    assertThat(merge.events()).isEqualTo(7);
  }

  @Test
  void lossStandsWhereItBegan() {
    CpuQueue a = new CpuQueue(0, LAYOUT, 9);
    CpuQueue b = new CpuQueue(1, LAYOUT, 9);
    a.beginAt(5);
    EventMerge merge = new EventMerge(2, 1);
    fill(a, 0, 10);
    fill(a, 7, 30);
    fill(b, 0, 20);
    fill(b, -1, 60);
    deliver(merge, List.of(a, b), 50);
    assertThat(delivered)
        .containsExactly(
            "10 0: event 1 of 15, 8 bytes",
            "10 0: 7 lost until 30",
            "20 1: event 1 of 25, 8 bytes",
            "20 1: 1 lost until 60",
            "30 0: event 1 of 35, 8 bytes",
            "up to 50");
    assertThat(merge.lost()).isEqualTo(8);
    assertThat(b.uncountedFrom()).isEqualTo(20);
    assertThat(b.uncountedTo()).isEqualTo(60);
  }

  @Test
  void lossIsNotBeforeWhatWasComplete() {
    CpuQueue a = new CpuQueue(0, LAYOUT, 9);
    EventMerge merge = new EventMerge(1, 0);
    fill(a, 0, 10);
    a.raiseBound(40);
    deliver(merge, List.of(a), 40);
    fill(a, 2, 70);
    deliver(merge, List.of(a), 80);
    assertThat(delivered)
        .containsExactly(
            "10 0: event 1 of 15, 8 bytes",
            "up to 40",
            "40 0: 2 lost until 70",
            "70 0: event 1 of 75, 8 bytes",
            "up to 80");
  }

  @Test
  void lateAndUnknownEvents() {
    CpuQueue a = new CpuQueue(0, LAYOUT, 9);
    EventMerge merge = new EventMerge(1, 0);
    deliver(merge, List.of(a), 40);
    fill(a, 0, 10, 41);
    merge.deliver(List.of(a), 50, TABLE, sink);
    fill(a, 0, 60);
    merge.deliver(List.of(a), 70, EventTable.EMPTY, sink);
    assertThat(delivered)
        .containsExactly(
            "up to 40", "40 0: event 1 of 15, 8 bytes", "41 0: event 1 of 46, 8 bytes");
    assertThat(merge.late()).isEqualTo(1);
    assertThat(merge.unknown()).isEqualTo(1);
  }

  @Test
  void damagedPageIsALoss() {
    CpuQueue a = new CpuQueue(0, LAYOUT, 9);
    EventMerge merge = new EventMerge(1, 0);
    fill(a, 0, 10, 11, 12);
    a.free();
    byte[] next = a.free();
    fill(a, 0, 20);
    next[16] = 3; // the event would be longer than the page
    fill(a, 0, 30);
    deliver(merge, List.of(a), 40);
    assertThat(delivered)
        .containsExactly(
            "10 0: event 1 of 15, 8 bytes",
            "11 0: event 1 of 16, 8 bytes",
            "12 0: event 1 of 17, 8 bytes",
            "12 0: 1 lost until 30",
            "30 0: event 1 of 35, 8 bytes",
            "up to 40");
    assertThat(a.malformed()).isEqualTo(1);
  }

  /** Random events of some processors, in random rounds, against a sort. */
  @Test
  void sameAsSorting() {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println("EventMergeTest seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int repeat = 0; repeat < 50; repeat++) {
      delivered.clear();
      int cpus = random.nextInt(1, 6);
      List<CpuQueue> queues = new ArrayList<>();
      List<long[]> expected = new ArrayList<>();
      for (int cpu = 0; cpu < cpus; cpu++) {
        queues.add(new CpuQueue(cpu, LAYOUT, 1000));
      }
      EventMerge merge = new EventMerge(cpus, cpus - 1);
      long[] clocks = new long[cpus];
      for (int round = 0; round < 10; round++) {
        for (CpuQueue queue : queues) {
          for (int page = random.nextInt(20); page > 0; page--) {
            long[] events = new long[random.nextInt(1, 40)];
            for (int i = 0; i < events.length; i++) {
              clocks[queue.cpu()] += random.nextInt(50);
              events[i] = clocks[queue.cpu()];
              expected.add(new long[] {events[i], queue.cpu()});
            }
            fill(queue, 0, events);
          }
        }
        long until = Long.MAX_VALUE;
        for (long clock : clocks) {
          until = Math.min(until, clock);
        }
        merge.deliver(queues, until, TABLE, sink);
      }
      merge.deliver(queues, Long.MAX_VALUE, TABLE, sink);
      expected.sort(Comparator.<long[]>comparingLong(e -> e[0]).thenComparingLong(e -> e[1]));
      assertThat(delivered)
          .isEqualTo(
              expected.stream()
                  .map(e -> "%d %d: event 1 of %d, 8 bytes".formatted(e[0], e[1], e[0] + 5))
                  .toList());
      assertThat(merge.late()).isZero();
    }
  }
}
