package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.CtfStreamClass;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.target.ForeignException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that is needed to read the streams of a trace. */
final class TraceProgram {
  private final Map<Long, StreamProgram> streams = new HashMap<>();
  private final StreamProgram any;
  private int slots;

  /**
   * Compiles the types of a trace.
   *
   * @param all kinds of events, to which this trace's are added
   */
  TraceProgram(Path metadata, TraceClass trace, List<CtfEventKind> all) throws ForeignException {
    StreamProgram first = null;
    for (CtfStreamClass stream : trace.streams().values()) {
      StreamProgram program = new StreamProgram(metadata, trace, stream, all);
      streams.put(stream.id(), program);
      slots = Math.max(slots, program.slots());
      first = first == null ? program : first;
    }
    if (first == null) {
      throw new ForeignException("metadata has no stream", metadata, 0, "");
    }
    this.any = first;
  }

  /** One of the streams' programs; all have the same packet header. */
  StreamProgram any() {
    return any;
  }

  boolean isOne() {
    return streams.size() == 1;
  }

  @Nullable StreamProgram stream(long id) {
    return streams.get(id);
  }

  /** Slots that the largest stream needs. */
  int slots() {
    return slots;
  }
}
