package dev.kymo.model.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.EventBatch;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeLocationsTest {
  private static final long RUN = 0x7f00_0000_1144L;
  private static final long UNKNOWN = 0x7f00_0000_2000L;

  @TempDir Path directory;

  private static RecordingBuilder places() {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "app").process(2);
    int names = Definition.Type.FIRST_OF_NAMES;
    r.define(1, new Definition.Type(1, "", "/home/app", "00ff"));
    r.define(1, new Definition.Method(1, 1, 0, 0, "other", "+0x1500"));
    r.define(1, new Definition.Method(2, 1, 0, 0, "run", "+0x1143"));
    r.define(1, new Definition.CodeLocation(RUN, 1));
    r.define(1, new Definition.CodeLocation(RUN, 2)); // another file was loaded there
    r.define(1, new Definition.CodeLocation(UNKNOWN, -1)); // damage
    r.define(1, new Definition.Method(3, 1, 0, 0, "0x1600", "+0x1600"));
    r.define(1, new Definition.CodeLocation(RUN + 8, 3));
    r.names(1, new Definition.Type(names, "", "/home/app", "/src/app.c"));
    r.names(1, new Definition.Method(2, names, 12, 0, "run", ""));
    r.define(1, new Definition.Subsystem(1, 1, "pthread", "", ""));
    r.define(1, new Definition.Subsystem(2, 2, "mine", "", ""));
    String fields = "u64 object; u64 caller;";
    r.define(1, new Definition.Event(20, 1, 1, 0, "mutex_lock", "", fields));
    r.define(1, new Definition.Event(21, 2, 1, 0, "TICK", "", fields));
    return r;
  }

  private static byte[] data(long object, long caller) {
    byte[] bytes = new byte[16];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(object).putLong(caller);
    return bytes;
  }

  @Test
  void namesWhatCallsTheThreadLibrary() throws Exception {
    RecordingBuilder r = places();
    r.ring(1, 1, 1)
        .own(100, 20, data(5, RUN))
        .own(110, 20, data(RUN, RUN + 8))
        .own(120, 20, data(5, UNKNOWN))
        .own(130, 21, data(5, RUN));
    List<String> texts = new ArrayList<>();
    Path recording = r.write(directory.resolve("r.kymo"));
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE)) {
      timeline.events(
          0, 0, Long.MAX_VALUE, (time, event, batch, word) -> texts.add(text(event, batch, word)));
      assertThat(timeline.oddities()).isEmpty();
    }
    assertThat(texts)
        .containsExactly(
            "mutex_lock object=5 caller=run (app.c:12)",
            "mutex_lock object=%d caller=app+0x1600".formatted(RUN),
            "mutex_lock object=5 caller=%d".formatted(UNKNOWN),
            "TICK object=5 caller=%d".formatted(RUN));
  }

  private static String text(TracedEvent event, EventBatch batch, int word) {
    return event.definition().name() + ' ' + event.text(batch, word);
  }

  @Test
  void areOfTheirProcess() throws Exception {
    Path recording = places().write(directory.resolve("r.kymo"));
    CallPass pass = CallPass.open(dev.kymo.reader.Recording.open(recording));
    TracedMethod run = pass.definitions().places().get(1, RUN);
    assertThat(run).isEqualTo(pass.definitions().methods().get(1, 2));
    assertThat(pass.definitions().places().get(2, RUN)).isNull();
    assertThat(pass.definitions().places().get(1, UNKNOWN)).isNull();
  }
}
