package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.FollowSink;
import dev.kymo.reader.Follower;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingState;
import dev.kymo.reader.SegmentMerge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real programs, followed while they are recorded, give the same result as reading the whole
 * recording.
 */
class FollowTest {
  @TempDir Path folder;

  @Test
  void virtualThreads() throws Exception {
    follow("Virtual", "3000");
  }

  @Test
  void manyCalls() throws Exception {
    follow("Known");
  }

  @Test
  void aKilledProgram() throws Exception {
    Path counters = folder.resolve("counters");
    follow("Counting", counters.toString(), "1000");
  }

  private void follow(String... program) throws Exception {
    Path path = folder.resolve("run.kymo");
    List<String> command =
        new ArrayList<>(List.of("record", "-q", "--when-full", "block", "-o", path.toString()));
    command.addAll(
        List.of("--", Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString()));
    command.addAll(List.of(program));
    Process kymo = Kymo.start(folder, Map.of(), command.toArray(String[]::new));
    long begin = System.nanoTime();
    while (!Recording.isRecording(path)) {
      assertThat(kymo.isAlive()).isTrue();
      TimeUnit.MILLISECONDS.sleep(1);
    }
    Heard heard = new Heard();
    Diagnostics diagnostics = new Diagnostics();
    int polls = 0;
    try (Recording recording = Recording.open(path)) {
      Follower follower = new Follower(recording, diagnostics);
      while (follower.poll(heard) != RecordingState.COMPLETE) {
        polls += heard.counted > 0 ? 1 : 0;
        // The other programs may be done before there is anything to follow; this program is
        // certainly followed.
        if (program[0].equals("Counting") && polls == 50) {
          kymo.children().forEach(ProcessHandle::destroyForcibly);
        }
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(120));
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
    Kymo.finish(kymo, "");
    assertThat(diagnostics.texts()).isEmpty();
    assertThat(heard.undefined).isEmpty();
    Heard whole = new Heard();
    try (Recording recording = Recording.open(path)) {
      SegmentMerge.run(recording.openThreads(diagnostics), whole, done -> {});
    }
    assertThat(diagnostics.texts()).isEmpty();
    assertThat(heard.counted).isEqualTo(whole.counted).isPositive();
    assertThat(heard.threads).isEqualTo(whole.threads);
    assertThat(Files.exists(path.resolve(".present"))).isFalse();
  }

  /**
   * A hash of each thread's events in their order, and the events that came before its definition.
   */
  private static final class Heard implements FollowSink, EventSink {
    final Map<String, Long> threads = new TreeMap<>();
    final Set<String> undefined = new HashSet<>();
    long counted;
    private final Map<String, Long> lastClocks = new HashMap<>();
    private final Set<String> defined = new HashSet<>();

    @Override
    public void definition(int process, long clock, Definition definition) {
      switch (definition) {
        case Definition.Method method -> defined.add(process + " method " + method.method());
        case Definition.TracedThread thread -> defined.add(process + " thread " + thread.thread());
        default -> {}
      }
    }

    /** A detail of a state, which occurs in long runs, does not count: it names nothing. */
    private static boolean isOfMethod(int id) {
      return id == ThreadRecord.ENTER || id == ThreadRecord.LEAVE || id == ThreadRecord.UNWIND;
    }

    @Override
    public void events(EventBatch batch) {
      String thread = batch.process() + " thread " + batch.thread();
      if (!defined.contains(thread)) {
        undefined.add(thread);
      }
      long hash = threads.getOrDefault(thread, 0L);
      for (int i = 0; i < batch.count(); i++) {
        int word = batch.words()[i];
        String method = batch.process() + " method " + EventBatch.payload(word);
        if (isOfMethod(EventBatch.id(word)) && !defined.contains(method)) {
          undefined.add(method);
        }
        hash = (hash * 31 + batch.clocks()[i]) * 31 + word;
      }
      counted += batch.count();
      threads.put(thread, hash);
      long before = lastClocks.getOrDefault(thread, 0L);
      assertThat(batch.clocks()[0]).isGreaterThanOrEqualTo(before);
      lastClocks.put(thread, batch.clocks()[batch.count() - 1]);
    }
  }
}
