package dev.kymo.session.machine;

import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The facts that a replay has to know of a recorded machine: the file {@code machine} with the
 * lines {@code kernel HASH}, {@code megabytes N} and {@code start N}. Nobody may trust it: it names
 * a kernel only by its hash.
 *
 * @param kernel hash of the kernel's file
 * @param megabytes of memory
 * @param start number of the marker at which recording began; 0: it began with the machine
 */
record RecordedMachine(String kernel, long megabytes, long start) {
  static final String FILE = "machine";
  private static final Pattern FORM =
      Pattern.compile("kernel ([0-9a-f]{1,64})\nmegabytes (\\d{1,7})\nstart (\\d{1,9})\n");
  private static final int MAX_SIZE = 1000;

  /** Writes it into a recording's directory of instructions. */
  void write(Path traces) throws IOException {
    Files.writeString(
        traces.resolve(FILE),
        "kernel %s\nmegabytes %d\nstart %d\n".formatted(kernel, megabytes, start));
  }

  /**
   * Reads it.
   *
   * @throws UsageException if there is none
   */
  static RecordedMachine read(Path traces) throws IOException {
    Path file = traces.resolve(FILE);
    if (!Files.isRegularFile(file) || Files.size(file) > MAX_SIZE) {
      throw new UsageException(
          "not the recording of a machine, from kymo machine record: missing=" + file);
    }
    Matcher matcher = FORM.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!matcher.matches()) {
      throw new UsageException("the recording of a machine is damaged: file=" + file);
    }
    return new RecordedMachine(
        matcher.group(1), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3)));
  }

  /** An argument of the plugin: where recording begins. */
  String startArgument() {
    return start == 0 ? "" : ",start=" + start;
  }

  /**
   * The machine's kernel.
   *
   * @throws UsageException if it is not prepared any more
   */
  MachineHome.Kernel kernel(MachineHome home) {
    MachineHome.Kernel found = home.kernel(kernel);
    if (!found.isLearned() || !Files.isExecutable(home.program())) {
      throw new UsageException(
          "the machine's kernel or QEMU is not there, kymo machine prepare [--kernel VMLINUZ] gets it: directory="
              + found.directory());
    }
    return found;
  }
}
