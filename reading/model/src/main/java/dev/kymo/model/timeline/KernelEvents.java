package dev.kymo.model.timeline;

import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.reader.KernelPackets;
import dev.kymo.reader.KernelStream;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's events of each processor, as the kernel has them. Their positions are read at the
 * first question. Times are nanoseconds since the recording's begin. Safe for use by several
 * threads.
 */
public final class KernelEvents {
  public static final KernelEvents NONE = new KernelEvents(null);

  private final @Nullable CallPass pass;
  private @Nullable KernelPackets packets;

  /** Takes events; an exception that it throws ends the reading. */
  @FunctionalInterface
  public interface Visitor {
    /** An event; those of a processor come in the order of their times. */
    void event(long time, KernelStream event);
  }

  private KernelEvents(@Nullable CallPass pass) {
    this.pass = pass;
  }

  static KernelEvents of(CallPass pass) {
    return new KernelEvents(pass);
  }

  private synchronized @Nullable KernelPackets packets() {
    if (packets == null && pass != null) {
      packets = KernelPackets.of(pass.recording(), pass.definitions().kernelEvents().values());
    }
    return packets;
  }

  /** Whether there may be any. */
  public boolean any() {
    return pass != null && !pass.recording().kernelStreams().isEmpty();
  }

  /** Whether a track is a processor of which there are any. */
  public boolean has(Track track) {
    KernelPackets known = track.kind() == TrackKind.CPU && any() ? packets() : null;
    return known != null && known.cpus().contains(track.tid());
  }

  /** A processor's track, extended to the first and the last of these events. */
  public Track reaching(Track track) {
    KernelPackets known = packets();
    if (known == null || pass == null || !has(track)) {
      return track;
    }
    NanoClock clock = pass.nanoClock();
    long first = clock.nanos(Math.max(pass.base(), known.first(track.tid())));
    long last = clock.nanos(Math.max(pass.base(), known.last(track.tid())));
    return track.from(Math.min(track.begin(), first), Math.max(track.end(), last));
  }

  /** Reports a processor's events between two times, none from before the recording. */
  public void between(Track track, long from, long to, Visitor visitor) {
    KernelPackets known = packets();
    if (known == null || pass == null || !has(track)) {
      return;
    }
    NanoClock clock = pass.nanoClock();
    long begin = Math.max(pass.base(), clock.ticks(from) - 1);
    known.between(
        track.tid(),
        begin,
        clock.ticks(to) + 1,
        event -> {
          long time = clock.nanos(event.clock());
          if (time >= from && time <= to) {
            visitor.event(time, event);
          }
        });
  }
}
