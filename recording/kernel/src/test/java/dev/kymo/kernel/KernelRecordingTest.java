package dev.kymo.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.states.KernelStates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording from a source that gives nothing of some processes. */
class KernelRecordingTest {
  @TempDir Path directory;

  private static final class Refusing implements KernelSource {
    @Override
    public List<KernelEventFormat> formats() {
      return List.of();
    }

    @Override
    public int processors() {
      return 1;
    }

    @Override
    public void maySee(long pid) throws IOException {
      throw new KernelException("not yours: pid=" + pid);
    }

    @Override
    public void start() {}

    @Override
    public long round(KernelSink sink) {
      return 0;
    }

    @Override
    public void finish(KernelSink sink) {}

    @Override
    public void close() {}
  }

  @Test
  void aProcessThatMayNotBeSeenIsNotAdopted() throws Exception {
    KernelStates.Place streams = new KernelStates.Place(directory, UUID.randomUUID(), 1, 1);
    KernelRecording.Place place =
        new KernelRecording.Place(streams, false, "Linux", System::nanoTime);
    try (KernelRecording recording = KernelRecording.open(new Refusing(), place, complaint -> {})) {
      assertThatThrownBy(() -> recording.adopt(4711)).hasMessage("not yours: pid=4711");
    }
  }
}
