package dev.kymo.reader;

import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The kernel events of all processors in the order of time. */
public final class KernelMerge {
  private final PriorityQueue<KernelStream> next =
      new PriorityQueue<>(
          Comparator.comparingLong(KernelStream::clock).thenComparingInt(KernelStream::cpu));
  private final List<KernelStream> streams = new ArrayList<>();
  private @Nullable KernelStream taken;

  private KernelMerge() {}

  public static KernelMerge none() {
    return new KernelMerge();
  }

  /**
   * All kernel events of a recording.
   *
   * @param kinds that the recording defines; a layout that makes no sense is reported, and its
   *     events are then unknown
   */
  public static KernelMerge all(
      Recording recording, Collection<Definition.KernelEvent> kinds, Diagnostics diagnostics) {
    KernelMerge merge = new KernelMerge();
    each(recording, kinds, diagnostics).forEach(merge::add);
    return merge;
  }

  /** The kernel events of each processor by themselves; {@link #all} has the parameters. */
  public static List<KernelStream> each(
      Recording recording, Collection<Definition.KernelEvent> kinds, Diagnostics diagnostics) {
    Map<Integer, KernelEventFormat> formats = formats(kinds, diagnostics);
    return recording.kernelStreams().stream()
        .map(file -> new KernelStream(file, recording.rules(), formats, diagnostics))
        .toList();
  }

  /** The layouts of the events, by number. */
  static Map<Integer, KernelEventFormat> formats(
      Collection<Definition.KernelEvent> kinds, Diagnostics diagnostics) {
    Map<Integer, KernelEventFormat> formats = new HashMap<>();
    for (Definition.KernelEvent kind : kinds) {
      try {
        formats.put(kind.event(), KernelEventFormat.parse(kind.subsystem(), kind.format()));
      } catch (IllegalArgumentException e) {
        diagnostics.add(
            Oddity.BAD_KERNEL_EVENT, "metadata", 0, () -> "reason=\"" + e.getMessage() + "\"");
      }
    }
    return formats;
  }

  private void add(KernelStream stream) {
    streams.add(stream);
    if (stream.next()) {
      next.add(stream);
    }
  }

  /**
   * The stream of the next event, at that event; null if it is later than a clock, and at the end.
   */
  public @Nullable KernelStream until(long clock) {
    KernelStream before = taken;
    taken = null;
    if (before != null && before.next()) {
      next.add(before);
    }
    KernelStream first = next.peek();
    if (first == null || first.clock() > clock) {
      return null;
    }
    next.remove();
    taken = first;
    return first;
  }

  /** Events known to be missing in what was read so far. */
  public long lost() {
    return streams.stream().mapToLong(KernelStream::lost).sum();
  }
}
