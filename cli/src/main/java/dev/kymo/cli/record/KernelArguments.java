package dev.kymo.cli.record;

import dev.kymo.cli.words.SizeConverter;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.KernelOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code kymo record} about kernel events. */
final class KernelArguments {
  @Option(
      names = "--kernel",
      paramLabel = "SERVICES",
      description =
          "Record kernel events, too: any of all, cswitch, ipc, ipc-shortcut,"
              + " irq, pagefault, thread-regs, timer, unmap, or SUBSYSTEM:EVENT, separated by"
              + " commas; see docs/kernel.md. As root, or with a running 'kymo daemon'.")
  private @Nullable String kernel;

  @Option(
      names = "--want-kernel",
      paramLabel = "SERVICES",
      description = "The same, but record without them if they cannot be recorded.")
  private @Nullable String wantKernel;

  @Option(
      names = "--system",
      description = "With --kernel: record all processes of the machine, not only the command's.")
  private boolean system;

  @Option(
      names = "--kernel-buffer",
      paramLabel = "SIZE",
      defaultValue = "32M",
      converter = SizeConverter.class,
      description =
          "Size of the buffer in the kernel for each processor; default: ${DEFAULT-VALUE}.")
  private int kernelBuffer;

  boolean areAsked() {
    return kernel != null || wantKernel != null;
  }

  void check(boolean flightRecorder) {
    if (kernel != null && wantKernel != null) {
      throw new UsageException("give either --kernel or --want-kernel, not both");
    }
    if (areAsked() && flightRecorder) {
      throw new UsageException(
          "--kernel does not go with --when-full overwrite: kernel events are written as they come");
    }
    if (system && !areAsked()) {
      throw new UsageException("--system goes with --kernel");
    }
  }

  /** What is asked for; null if nothing is. */
  @Nullable KernelOptions options() {
    String services = kernel != null ? kernel : wantKernel;
    return services == null
        ? null
        : KernelOptions.of(services, kernel != null, system, kernelBuffer);
  }
}
