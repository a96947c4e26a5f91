package dev.kymo.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.replay.ThreadHistories;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a reader finds: a line for each call, "track: type name begin-end by other". */
final class WrittenCalls implements CallSink {
  private final RecordedDefinitions names;
  private final List<String> lines = new ArrayList<>();

  private WrittenCalls(RecordedDefinitions names) {
    this.names = names;
  }

  static List<String> of(Path directory) throws IOException {
    try (Recording recording = Recording.open(directory)) {
      CallPass pass = CallPass.open(recording);
      WrittenCalls calls = new WrittenCalls(pass.definitions());
      ThreadHistories histories = ThreadHistories.of(pass, ProgressListener.NONE);
      for (ThreadCalls thread : histories.threads(t -> true)) {
        histories.replay(thread, calls);
      }
      assertThat(pass.oddities()).isEmpty();
      return calls.lines;
    }
  }

  @Override
  public void call(CallCursor call) {
    ThreadCalls thread = call.thread();
    String what = names.methods().get(call.method()).qualifiedName();
    String open = call.is(Slice.OPEN_END) ? "..." : "";
    String by =
        call.hasDetail()
            ? " by " + names.threadOrNameless(thread.process(), call.other()).name()
            : "";
    lines.add(
        "%s: %s%s %d-%d%s%s"
            .formatted(
                thread.definition().name(),
                "  ".repeat(call.depth()),
                what,
                call.begin(),
                call.end(),
                open,
                by));
  }
}
