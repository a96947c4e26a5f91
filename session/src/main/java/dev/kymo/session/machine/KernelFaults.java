package dev.kymo.session.machine;

import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The functions of a kernel that say that something went wrong. */
public final class KernelFaults {
  private static final Map<String, String> FUNCTIONS = new LinkedHashMap<>();

  static {
    FUNCTIONS.put("signal", "force_sig_info_to_task"); // all exceptions that become signals
    FUNCTIONS.put("oops", "oops_begin");
    FUNCTIONS.put("panic", "panic");
  }

  private KernelFaults() {}

  /**
   * Arguments of the plugin, which stops recording there.
   *
   * @throws UsageException if the kernel has no such function
   */
  public static String arguments(MachineHome.Kernel kernel) throws IOException {
    KernelSymbols symbols = KernelSymbols.read(Files.readString(kernel.symbols()));
    StringBuilder arguments = new StringBuilder();
    FUNCTIONS.forEach((argument, function) -> {
      OptionalLong address = symbols.address(function);
      if (address.isEmpty()) {
        throw new UsageException(
            "--stop-on fault is not possible with this kernel, it has no such function: "
                + function);
      }
      arguments.append(",%s=%x".formatted(argument, address.getAsLong()));
    });
    return arguments.toString();
  }
}
