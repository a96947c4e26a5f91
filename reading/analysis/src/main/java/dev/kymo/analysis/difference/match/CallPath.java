package dev.kymo.analysis.difference.match;

import dev.kymo.analysis.difference.paths.NameKeys;
import dev.kymo.model.timeline.CallDetail;
import dev.kymo.model.timeline.Timeline;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The methods from the outermost caller to a call, as another recording knows them by their names.
 * Used by one thread.
 */
final class CallPath {
  private static final int UNKNOWN = -1;

  private final Timeline timeline;
  private final NameKeys names;
  private final int[] path;

  /** By method of the recording: the number of its name. */
  private int[] keys = {};

  private CallPath(Timeline timeline, NameKeys names, int[] path) {
    this.timeline = timeline;
    this.names = names;
    this.path = path;
  }

  static CallPath of(Timeline timeline, CallDetail call, NameKeys names) {
    List<Integer> methods =
        Stream.concat(
                call.callers().stream().map(CallDetail.Caller::method), Stream.of(call.method()))
            .toList();
    return new CallPath(
        timeline,
        names,
        methods.stream().mapToInt(method -> names.of(timeline.method(method))).toArray());
  }

  /** The same path, in another recording or by another thread. */
  CallPath in(Timeline other) {
    return new CallPath(other, names, path);
  }

  /** How many calls are around the innermost one. */
  int depth() {
    return path.length - 1;
  }

  boolean has(int depth, int method) {
    if (method >= keys.length) {
      int known = keys.length;
      keys = Arrays.copyOf(keys, Math.max(method + 1, known * 2));
      Arrays.fill(keys, known, keys.length, UNKNOWN);
    }
    if (keys[method] == UNKNOWN) {
      keys[method] = names.of(timeline.method(method));
    }
    return keys[method] == path[depth];
  }
}
