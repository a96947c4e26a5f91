package dev.kymo.instructions.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.InstructionLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records as the plugin writes them, and as nobody does. */
class ChunkReaderTest {
  /** What is heard of rubbish. */
  private static final int MOST = 1000;

  private final Blocks blocks = new Blocks();
  private final ByteArrayOutputStream records = new ByteArrayOutputStream();

  private static final class Heard implements TraceSink {
    private final List<String> all = new ArrayList<>();

    @Override
    public void block(int block) {
      if (all.size() < MOST) {
        all.add(Integer.toString(block));
      }
    }

    @Override
    public void systemCall(int number, long[] arguments, int count) {
      all.add("call " + number + " " + count + " " + arguments[0]);
    }

    @Override
    public void returned(long result, long raised) {
      all.add("= " + result + " " + raised);
    }

    @Override
    public void gap() {
      all.add("gap");
    }

    @Override
    public void signal(int signal, int executed, long address) {
      all.add("signal " + signal + " " + executed + " " + address);
    }

    @Override
    public void entry(int entry, int executed, long address) {
      all.add("entry " + entry + " " + executed + " " + address);
    }

    @Override
    public void switched(long raised) {
      all.add("switched " + raised);
    }

    @Override
    public void cut(int executed) {
      all.add("cut " + executed);
    }
  }

  private void block() {
    assertThat(blocks.add(0x1000L * blocks.count(), 1, ByteBuffer.wrap(new byte[] {1, -61}), -1))
        .isTrue();
  }

  private void put(long... varints) {
    for (long varint : varints) {
      long left = varint;
      while (left >>> 7 != 0) {
        records.write((int) (left | 0x80));
        left >>>= 7;
      }
      records.write((int) left);
    }
  }

  private List<String> read() throws IOException {
    Heard heard = new Heard();
    new ChunkReader(blocks).read(records.toByteArray(), heard);
    return heard.all;
  }

  @Test
  void runsFollowWhatCameLast() throws IOException {
    block();
    block();
    block();
    put(0, 1, 0, 2, 0, 1); // 1 2 1: now 1 is followed by 2, and 2 by 1
    put(3, 3, 0, 1); // 2 1 2, and then not 1 but 3; 1 again
    put(2, 0, InstructionLayout.EVENT_END); // 2 3
    assertThat(read()).containsExactly("1", "2", "1", "2", "1", "2", "3", "1", "2", "3");
  }

  @Test
  void eventsStandBetweenBlocks() throws IOException {
    block();
    put(0, 1, 0, 0, InstructionLayout.EVENT_SYSCALL, 39, 1, 1L << 40);
    put(0, 0, InstructionLayout.EVENT_RETURN, 3, 1000);
    put(0, 0, InstructionLayout.EVENT_SIGNAL, 11, 0, 0x1234, 0, 1);
    put(0, 0, InstructionLayout.EVENT_FORGET);
    put(0, 0, InstructionLayout.EVENT_GAP);
    assertThat(read())
        .containsExactly(
            "1", "call 39 1 1099511627776", "= -2 1000", "signal 11 0 4660", "1", "gap");
  }

  @Test
  void aMachinesEventsStandBetweenBlocks() throws IOException {
    block();
    block();
    put(0, 1, 0, 2, 0, 1); // 1 2 1
    put(1, 0, InstructionLayout.EVENT_SWITCH, 4000, 1); // 2, and 1 after others were executed
    put(0, InstructionLayout.EVENT_CUT, 0, 0, 2);
    put(0, 0, InstructionLayout.EVENT_ENTRY, 3, 1, 0x1234, 0, 1);
    assertThat(read())
        .containsExactly(
            "1", "2", "1", "2", "switched 4000", "1", "cut 0", "2", "entry 3 1 4660", "1");
  }

  @Test
  void nothingIsPredictedAfterForgetting() {
    block();
    put(0, 1, 0, 1, 0, 0, InstructionLayout.EVENT_FORGET, 1, 0, InstructionLayout.EVENT_END);
    assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining("damaged");
  }

  @Test
  void rubbishEndsWithAnError() {
    for (int i = 0; i < 10; i++) {
      block();
    }
    Random random = new Random(20261125);
    int damaged = 0;
    for (int i = 0; i < 5_000; i++) {
      records.reset();
      int length = random.nextInt(60);
      for (int j = 0; j < length; j++) {
        records.write(random.nextInt(random.nextBoolean() ? 256 : 12));
      }
      try {
        read();
      } catch (IOException e) {
        damaged++;
      }
    }
    assertThat(damaged).isGreaterThan(2_000);
  }
}
