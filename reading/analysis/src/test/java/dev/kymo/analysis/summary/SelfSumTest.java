package dev.kymo.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a thread's methods did themselves is no more than the thread had. Not so where calls were
 * counted before format 1.8: their time is once more in their caller's.
 */
class SelfSumTest {
  private static final Path CORPUS = SourceTree.path("corpus/succeed");

  static List<Path> recordings() throws IOException {
    try (Stream<Path> all = Files.list(CORPUS)) {
      return all.map(version -> version.resolve("recording"))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void addsUpToNoMoreThanTheThread(Path path) throws IOException {
    Map<ThreadCalls, Long> sums = new HashMap<>();
    Set<ThreadCalls> counted = new HashSet<>();
    try (Recording recording = Recording.open(path)) {
      CallPass pass = CallPass.open(recording);
      SummaryQuery query = new SummaryQuery(0, Long.MAX_VALUE, thread -> true, true);
      for (MethodSummary row : Summary.of(pass, query, ProgressListener.NONE).rows()) {
        ThreadCalls thread = row.thread().orElseThrow();
        sums.merge(thread, row.self(), Long::sum);
        if (row.counted() > 0) {
          counted.add(thread);
        }
      }
      NanoClock clock = pass.nanoClock();
      sums.keySet().removeAll(counted);
      sums.forEach((thread, self) -> {
        long length = clock.nanos(Math.max(thread.last(), pass.end())) - clock.nanos(pass.base());
        assertThat(self).as("%s", thread.definition()).isLessThanOrEqualTo(length);
      });
    }
  }
}
