package dev.kymo.network.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The identity that tells the clocks of this machine since its boot from all others. */
public final class MachineBoot {
  private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

  private MachineBoot() {}

  public static String id() throws IOException {
    return Files.readString(ID).strip();
  }
}
