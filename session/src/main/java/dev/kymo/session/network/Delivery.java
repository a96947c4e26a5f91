package dev.kymo.session.network;

import dev.kymo.network.wire.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of a recording while it is made.
 *
 * @param whenUnreachable what happens while the receiver does not take the events
 * @param size most bytes kept here that the receiver has not got yet, 0 = any; null = as usual
 * @param keepsLocal whether the whole recording is kept here, too
 */
public record Delivery(
    SendTarget receiver, WhenUnreachable whenUnreachable, @Nullable Long size, boolean keepsLocal) {
  private static final long USUAL_SIZE = 1L << 30;

  /** What to do while the receiver does not take the events. */
  public enum WhenUnreachable {
    spool,
    discard,
    block
  }

  boolean isSpool() {
    return !keepsLocal;
  }

  /**
   * The directory to record into: the one that the user means, or a spool.
   *
   * @param output what the user calls the recording
   */
  public Path directory(Path output) throws IOException {
    if (!isSpool()) {
      return output;
    }
    Path spools = NetworkPlaces.spools();
    Secret.makeDirectory(spools);
    String name = String.valueOf(output.getFileName());
    Path free = spools.resolve(name);
    for (int i = 2; Files.exists(free); i++) {
      free = spools.resolve(name + "-" + i);
    }
    return free;
  }

  /** Whether so many bytes are too many while the receiver is there, or is not. */
  boolean isFull(long waiting, boolean connected) {
    if (whenUnreachable == WhenUnreachable.discard && !connected) {
      return true;
    }
    return waiting >= (size == null ? USUAL_SIZE : size == 0 ? Long.MAX_VALUE : size);
  }
}
