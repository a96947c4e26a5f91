package dev.kymo.session.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine is called, without asking a network. */
public final class HostName {
  private HostName() {}

  /** Its name. */
  public static String find() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }
}
