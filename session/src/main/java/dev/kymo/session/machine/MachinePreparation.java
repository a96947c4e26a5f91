package dev.kymo.session.machine;

import dev.kymo.session.OutputFile;
import dev.kymo.session.StandardError;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.Preload;
import dev.kymo.session.system.AgentJar;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fills a {@link MachineHome}, as far as it is not yet. */
public final class MachinePreparation implements AutoCloseable {
  private static final String INIT = "kymo-init";
  private static final Pattern VERSION = Pattern.compile("version (\\d+\\.\\d+\\.\\d+)");
  private static final List<String> PARTS =
      List.of("usr/share/qemu", "usr/share/seabios", "usr/lib", "lib");

  private final MachineHome home;
  private final FileChannel lockFile;
  private final Path scratch;
  private @Nullable DebianPackages packages;

  private MachinePreparation(MachineHome home, FileChannel lockFile, Path scratch) {
    this.home = home;
    this.lockFile = lockFile;
    this.scratch = scratch;
  }

  /**
   * Prepares what a machine needs; says what it does.
   *
   * @param given file of a kernel; null: Debian's
   * @return the kernel
   */
  public static MachineHome.Kernel prepare(MachineHome home, @Nullable Path given)
      throws IOException, InterruptedException {
    if (given == null && Files.isExecutable(home.program()) && Files.exists(home.usualKernel())) {
      MachineHome.Kernel usual = new MachineHome.Kernel(home.usualKernel().toRealPath());
      if (usual.isLearned()) {
        return usual;
      }
    }
    Files.createDirectories(home.directory());
    try (MachinePreparation preparation = begin(home)) {
      preparation.qemu();
      return preparation.kernel(given);
    }
  }

  /** Waits for others that prepare the same home. */
  private static MachinePreparation begin(MachineHome home) throws IOException {
    FileChannel lockFile =
        FileChannel.open(
            home.directory().resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock _ = lockFile.lock();
    Path scratch = home.directory().resolve("unfinished");
    if (Files.exists(scratch)) {
      OutputFile.delete(scratch);
    }
    return new MachinePreparation(home, lockFile, Files.createDirectory(scratch));
  }

  @Override
  public void close() throws IOException {
    OutputFile.delete(scratch);
    lockFile.close();
  }

  private DebianPackages packages() throws IOException, InterruptedException {
    if (packages == null) {
      StandardError.say(
          "getting QEMU 10 and a kernel from Debian, once: directory=" + home.directory());
      packages = DebianPackages.open(Files.createDirectory(scratch.resolve("packages")));
    }
    return packages;
  }

  private void qemu() throws IOException, InterruptedException {
    if (Files.isExecutable(home.program())) {
      return;
    }
    Path unpacked = scratch.resolve("qemu-packages");
    packages().unpackQemu(unpacked);
    MachineHome made = new MachineHome(scratch);
    Files.createDirectories(made.program().getParent());
    Files.createDirectories(made.qemu().resolve("usr/share"));
    Files.move(unpacked.resolve("usr/bin/qemu-system-x86_64"), made.program());
    for (String part : PARTS) {
      if (Files.exists(unpacked.resolve(part))) {
        Files.move(unpacked.resolve(part), made.qemu().resolve(part));
      }
    }
    String version =
        HostProgram.run(scratch, made.variables(), List.of(made.program().toString(), "--version"));
    Matcher matcher = VERSION.matcher(version);
    if (Files.exists(home.qemu())) {
      OutputFile.delete(home.qemu());
    }
    Files.move(made.qemu(), home.qemu());
    StandardError.say(
        "QEMU is there: version=%s path=%s"
            .formatted(matcher.find() ? matcher.group(1) : "unknown", home.program()));
  }

  private MachineHome.Kernel kernel(@Nullable Path given) throws IOException, InterruptedException {
    if (given != null && !Files.isRegularFile(given)) {
      throw new UsageException("no such kernel: path=" + given);
    }
    if (given == null && Files.exists(home.usualKernel())) {
      return learned(new MachineHome.Kernel(home.usualKernel().toRealPath()).file());
    }
    MachineHome.Kernel kernel = learned(given == null ? debianKernel() : given);
    if (given == null) {
      Files.deleteIfExists(home.usualKernel());
      Files.createSymbolicLink(home.usualKernel(), kernel.directory().getFileName());
    }
    return kernel;
  }

  private Path debianKernel() throws IOException, InterruptedException {
    Path unpacked = scratch.resolve("kernel-packages");
    packages().unpackKernel(unpacked);
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(unpacked.resolve("boot"), "vmlinuz-*")) {
      for (Path file : files) {
        return file;
      }
    }
    throw new IOException("there is no kernel in Debian's package: path=" + unpacked);
  }

  private MachineHome.Kernel learned(Path file) throws IOException, InterruptedException {
    MachineHome.Kernel kernel = home.kernel(file);
    if (!kernel.isLearned()) {
      MachineHome.Kernel making =
          new MachineHome.Kernel(Files.createDirectory(scratch.resolve("kernel")));
      Files.copy(file, making.file());
      new KernelLearning(home, init()).learn(making.file(), making);
      if (Files.exists(kernel.directory())) {
        OutputFile.delete(kernel.directory());
      }
      Files.move(making.directory(), kernel.directory());
      StandardError.say(
          "the kernel's functions and structures are known: kernel=%s directory=%s"
              .formatted(file.getFileName(), kernel.directory()));
    }
    return kernel;
  }

  /**
   * The machine's first program.
   *
   * @throws UsageException if it was not built
   */
  public static byte[] init() throws IOException {
    return Files.readAllBytes(installed(INIT));
  }

  /**
   * A file that is built where there is a C compiler for x86-64.
   *
   * @throws UsageException if it was not built
   */
  static Path installed(String name) throws IOException {
    Path file = Preload.library(AgentJar.find(), name);
    if (!Files.isRegularFile(file)) {
      throw new UsageException(
          "no machine can be recorded: %s was not built, which needs gcc, make and an x86-64 machine"
              .formatted(name));
    }
    return file;
  }
}
