package dev.kymo.session.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this machine, without asking a network. */
public final class HostName {
  private HostName() {}

  public static String find() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }
}
