package dev.kymo.session.machine;

import dev.kymo.session.system.RawText;
import dev.kymo.session.system.UserFolders;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The directory where QEMU and kernels are kept, for any number of recordings.
 *
 * <pre>
 *   qemu/usr, qemu/lib    QEMU as Debian's packages have it
 *   kernel-HASH/          a kernel: vmlinuz, kallsyms, places-2
 *   kernel                link to Debian's
 * </pre>
 *
 * @param directory may not exist yet
 */
public record MachineHome(Path directory) {
  private static final String VARIABLE = "KYMO_MACHINE";
  private static final String LIBRARIES = "usr/lib/x86_64-linux-gnu";
  private static final int HASH_BYTES = 8;

  /** A kernel and what is known of it. */
  public record Kernel(Path directory) {
    private static final String NAME = "kernel-";

    /** Of its file's bytes. */
    String hash() {
      return String.valueOf(directory.getFileName()).substring(NAME.length());
    }

    Path file() {
      return directory.resolve("vmlinuz");
    }

    Path symbols() {
      return directory.resolve("kallsyms");
    }

    /** For the plugin. The number is another one whenever more has to be known. */
    Path places() {
      return directory.resolve("places-2");
    }

    boolean isLearned() {
      return Files.isRegularFile(places());
    }
  }

  /** The user's. */
  public static MachineHome of(Map<String, String> environment) {
    String given = environment.getOrDefault(VARIABLE, "");
    if (!given.isEmpty()) {
      return new MachineHome(RawText.path(given).toAbsolutePath());
    }
    return new MachineHome(UserFolders.cache(environment).resolve("machine"));
  }

  Path qemu() {
    return directory.resolve("qemu");
  }

  public Path program() {
    return qemu().resolve("usr/bin/qemu-system-x86_64");
  }

  /**
   * Starts QEMU, with nothing on its standard input.
   *
   * @param words its arguments
   * @param errors file for what it writes on standard error
   */
  Process start(List<String> words, Path errors) throws IOException {
    List<String> command = new ArrayList<>(List.of(program().toString()));
    command.addAll(files());
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(variables());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(errors.toFile());
    return builder.start();
  }

  /** Words that tell QEMU where its own files are. */
  private List<String> files() {
    return List.of(
        "-L", qemu().resolve("usr/share/qemu").toString(),
        "-L", qemu().resolve("usr/share/seabios").toString());
  }

  /** Variables that QEMU needs. */
  Map<String, String> variables() {
    String libraries = qemu().resolve(LIBRARIES) + ":" + qemu().resolve("lib/x86_64-linux-gnu");
    return Map.of(
        "LD_LIBRARY_PATH",
        libraries,
        "QEMU_MODULE_DIR",
        qemu().resolve(LIBRARIES).resolve("qemu").toString());
  }

  /** Where Debian's kernel is, if it is there: a link. */
  Path usualKernel() {
    return directory.resolve("kernel");
  }

  /** Where a kernel is, if it is there. */
  Kernel kernel(String hash) {
    return new Kernel(directory.resolve(Kernel.NAME + hash));
  }

  /** Where a kernel belongs, which its bytes say. */
  Kernel kernel(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      String hash = HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
      return kernel(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(Objects.toString(e.getMessage()), e);
    }
  }
}
