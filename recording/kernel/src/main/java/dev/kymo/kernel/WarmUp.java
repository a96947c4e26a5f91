package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Decodes and merges synthetic pages, so that the code is compiled when the first real pages come:
 * before that it takes ten times as long, and buffers overflow.
 */
final class WarmUp {
  private static final PageLayout LAYOUT = new PageLayout(0, 8, 8, 16, 4080);
  private static final int EVENT_SIZE = 32;
  private static final int PAGES = 64;
  private static final int ROUNDS = 40;
  private static final String FORMAT =
      "name: warm_up\nID: 1\nfield:u64 a; offset:8; size:8; signed:0;\n";

  private WarmUp() {}

  /** This takes some hundredths of a second. */
  static void run() {
    EventTable table = EventTable.EMPTY.with(List.of(KernelEventFormat.parse("kymo", FORMAT)));
    List<CpuQueue> queues = List.of(new CpuQueue(0, LAYOUT, PAGES), new CpuQueue(1, LAYOUT, PAGES));
    EventMerge merge = new EventMerge(queues.size(), queues.size());
    Nothing nothing = new Nothing();
    long clock = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < PAGES; i++) {
        fill(queues.get(0).free(), clock + i * 1000L);
        fill(queues.get(1).free(), clock + i * 1000L + 10);
        queues.forEach(CpuQueue::added);
      }
      clock += PAGES * 1000L;
      merge.deliver(queues, clock, table, nothing);
      merge.upTo(clock, nothing);
    }
  }

  private static void fill(byte[] page, long clock) {
    ByteBuffer bytes = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(clock).putLong(LAYOUT.dataSize() / (EVENT_SIZE + 4) * (EVENT_SIZE + 4L));
    while (bytes.remaining() >= EVENT_SIZE + 4) {
      bytes.putInt(3 << 5 | EVENT_SIZE / 4).putShort((short) 1);
      bytes.position(bytes.position() + EVENT_SIZE - 2);
    }
  }

  private static final class Nothing implements KernelSink {
    @Override
    public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {}

    @Override
    public void lost(int cpu, long from, long to, long count) {}

    @Override
    public void upTo(long clock) {}
  }
}
