package dev.kymo.editing.slice;

import dev.kymo.format.Definition;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import dev.kymo.writer.CpuStream;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.function.LongUnaryOperator;

/** Copies the kernel events of one recording into the recording of several. */
final class KernelCopy {
  private KernelCopy() {}

  /**
   * Copies all.
   *
   * @param kinds by the numbers that their recording gives them
   * @return the number of events
   */
  static long copy(
      Part part,
      Collection<Definition.KernelEvent> kinds,
      LongUnaryOperator clocks,
      RecordingFiles files)
      throws IOException {
    long events = 0;
    for (KernelStream from :
        KernelMerge.each(part.source().recording(), kinds, new Diagnostics())) {
      if (from.next()) {
        int number = part.number();
        String prefix = number == 0 ? "kernel-cpu-" : "kernel-" + (number + 1) + "-cpu-";
        Path file = files.directory().resolve(prefix + from.cpu());
        int process = part.process(from.process());
        try (CpuStream to = new CpuStream(file, files.uuid(), process, from.cpu())) {
          events += copy(from, to, part, clocks);
        }
      }
    }
    return events;
  }

  /** Copies from the event on that the stream is at. */
  private static long copy(KernelStream from, CpuStream to, Part part, LongUnaryOperator clocks)
      throws IOException {
    long events = 0;
    long lost = 0;
    do {
      if (from.lost() > lost) {
        to.lose(from.lost() - lost);
        lost = from.lost();
      }
      byte[] bytes = from.bytes();
      int kind = part.kinds().applyAsInt(from.kind());
      to.event(clocks.applyAsLong(from.clock()), kind, from.format(), bytes, 0, bytes.length);
      events++;
    } while (from.next());
    if (from.lost() > lost) {
      to.lose(from.lost() - lost);
    }
    return events;
  }
}
