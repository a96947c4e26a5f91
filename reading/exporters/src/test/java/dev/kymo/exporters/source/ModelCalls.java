package dev.kymo.exporters.source;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.Recording;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The calls of a recording as the model gives them in another way than exports use. */
public final class ModelCalls {
  private ModelCalls() {}

  static List<String> of(Recording recording) {
    CallPass pass = CallPass.open(recording);
    NanoClock clock = pass.nanoClock();
    List<String> lines = new ArrayList<>();
    CallSink sink =
        call ->
            lines.add(
                line(
                    title(
                        call.thread().definition().name(),
                        TrackKind.of(call.thread().definition())),
                    ExportWords.name(
                        TrackKind.of(call.thread().definition()),
                        pass.definitions().methods().get(call.method())),
                    clock.nanos(call.begin()),
                    clock.nanos(call.end())));
    pass.runMerged(sink, thread -> true);
    Collections.sort(lines);
    return lines;
  }

  private static String title(String name, TrackKind kind) {
    return switch (kind) {
      case STATES -> name + " (waits)";
      case SCHEDULED -> name + " (scheduled)";
      case CALLS, JVM, CPU -> name;
    };
  }

  /** A call in one line. */
  public static String line(String track, String name, long begin, long end) {
    return track + ' ' + name + ' ' + begin + ' ' + end;
  }
}
