package dev.kymo.kernel.daemon;

import java.nio.file.Path;

/** A daemon in a process of its own, until its input ends. Argument: socket. */
final class DaemonProgram {
  private DaemonProgram() {}

  public static void main(String[] args) throws Exception {
    DaemonOptions options =
        new DaemonOptions(
            Path.of(args[0]), 64, KernelDaemon.monotonic(), "test", System.err::println);
    try (KernelDaemon _ = KernelDaemon.open(options)) {
      System.out.println("ready");
      System.in.readAllBytes();
    }
  }
}
