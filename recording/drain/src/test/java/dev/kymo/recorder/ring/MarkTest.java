package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.RecorderWork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded when it has ended has the time at which it began. */
class MarkTest {
  private static final int FIRST = 1001;
  private static final int SECOND = 1002;
  private static final byte[] DATA = new byte[20];

  @TempDir Path folder;
  private OwnRecording recording;

  @BeforeEach
  void makeRecording() throws IOException {
    recording = new OwnRecording(folder, Session.Methods.DEFAULT);
  }

  private List<Integer> recorded(Runnable program) throws Exception {
    recording.record((drainer, recorder) -> program.run());
    return clocks();
  }

  /** The low halves of the clocks of all events with data. */
  private List<Integer> clocks() throws IOException {
    List<Integer> clocks = new ArrayList<>();
    try (Stream<Path> files = Files.list(recording.path)) {
      for (Path file :
          (Iterable<Path>) files.filter(f -> f.toString().contains("-ring-"))::iterator) {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int end = (int) (bytes.getLong(PacketLayout.CONTENT_SIZE_OFFSET) / Byte.SIZE);
        for (int at = PacketLayout.HEADER_SIZE; at < end; at += ThreadRecord.COMPACT_SIZE) {
          long word = bytes.getLong(at);
          if (ThreadRecord.id(word) == ThreadRecord.EVENT_DATA) {
            clocks.add(ThreadRecord.clockLow(word));
            at += ThreadRecord.sizeBehindWord(bytes.getLong(at + ThreadRecord.COMPACT_SIZE));
          }
        }
      }
    }
    return clocks;
  }

  private static void loadClass() {
    RecorderWork.end(Probe.beginUnrecorded());
  }

  private static int tick() {
    long now = Probe.now();
    while (Probe.now() == now) {
      Thread.onSpinWait();
    }
    return (int) Probe.now();
  }

  @Test
  void alsoIfAClassIsLoadedMeanwhile() throws Exception {
    int[] begun = new int[1];
    List<Integer> clocks =
        recorded(() -> {
          EventProbe.mark();
          begun[0] = tick();
          EventProbe.dataSinceMark(FIRST, DATA, DATA.length);
          loadClass();
          EventProbe.dataSinceMark(SECOND, DATA, DATA.length);
          loadClass();
          EventProbe.dataSinceMark(SECOND, DATA, DATA.length);
        });
    assertThat(clocks).hasSize(3).allMatch(clock -> clock.equals(clocks.getFirst()));
    assertThat(clocks.getFirst() - begun[0]).isNegative();
  }

  @Test
  void butNotIfSomethingWasRecordedMeanwhile() throws Exception {
    int[] begun = new int[1];
    List<Integer> clocks =
        recorded(() -> {
          EventProbe.mark();
          EventProbe.data(FIRST, DATA, DATA.length);
          begun[0] = tick();
          EventProbe.dataSinceMark(SECOND, DATA, DATA.length);
        });
    assertThat(clocks).hasSize(2);
    assertThat(clocks.getFirst() - begun[0]).isNegative();
    assertThat(clocks.getLast() - begun[0]).isNotNegative();
  }
}
