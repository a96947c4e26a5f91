package dev.kymo.cli.doctor;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.SharedMemory;
import dev.kymo.format.Clock;
import dev.kymo.session.UsageException;
import dev.kymo.session.run.KernelPermission;
import dev.kymo.session.run.Preload;
import dev.kymo.session.system.AgentJar;
import dev.kymo.session.system.Emulator;
import dev.kymo.session.system.JavaVersion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Findings about what this user can record on this machine. */
final class MachineFindings {
  /** The oldest that programs may run on. */
  static final int OLDEST_JAVA = 17;

  /** Less memory is soon full. */
  private static final long LITTLE_MEMORY = 256L << 20;

  private final Map<String, String> environment;
  private final String asRoot;

  /** By this environment. */
  MachineFindings(Map<String, String> environment) throws IOException {
    this.environment = environment;
    this.asRoot = KernelPermission.isRoot() ? "" : "sudo ";
  }

  List<Finding> all() throws IOException {
    return List.of(
        java(),
        nativeFunctions(),
        threads(),
        kernel(),
        instructions(),
        functionNames(),
        memory(),
        clock());
  }

  private Finding java() {
    String what = "Java methods";
    Path java = JavaVersion.find("java");
    int version = java == null ? 0 : JavaVersion.oldestOf(java, environment);
    if (java == null) {
      return new Finding(
          what, true, "of programs that run on Java 17 or later; there is no java on the path", "");
    }
    if (version > 0 && version < OLDEST_JAVA) {
      return Finding.no(
          what,
          "the java on the path is too old, programs need 17 or later: path=%s version=%d"
              .formatted(java, version),
          asRoot + "apt-get install openjdk-17-jre-headless");
    }
    return Finding.yes(
        what, "path=%s version=%s".formatted(java, version == 0 ? "unknown" : version));
  }

  private Finding nativeFunctions() throws IOException {
    Path library = Preload.library(AgentJar.find());
    return library(
        "native functions",
        library,
        "of programs that are compiled with -finstrument-functions or such; library=" + library);
  }

  private Finding threads() throws IOException {
    return library(
        "locks and messages",
        Preload.library(AgentJar.find(), "libkymo-threads-messages.so"),
        "of unchanged native programs that kymo record starts: --threads, --messages");
  }

  private Finding library(String what, Path library, String how) {
    return Files.isReadable(library)
        ? Finding.yes(what, how)
        : Finding.no(
            what,
            "libkymo was not built, a C compiler was missing: path=" + library,
            asRoot + "apt-get install gcc libc6-dev make, and build Kymo again");
  }

  private Finding kernel() throws IOException {
    String why = KernelPermission.obstacle();
    if (why.isEmpty()) {
      boolean root = KernelPermission.isThere();
      return Finding.yes("kernel events", root ? "--kernel" : "--kernel, through the daemon");
    }
    boolean mendable = !why.contains("cannot be recorded on it");
    String command =
        KernelPermission.isThere()
            ? "kymo record --kernel --pid PID, outside this container"
            : asRoot + "kymo daemon";
    return Finding.no("kernel events", why, mendable ? command : "");
  }

  private Finding instructions() throws IOException {
    try {
      return Finding.yes(
          "every instruction", "--instructions, by " + Emulator.find(environment).path());
    } catch (UsageException e) {
      return Finding.no(
          "every instruction",
          String.valueOf(e.getMessage()),
          Emulator.isForThisMachine() ? asRoot + "apt-get install qemu-user" : "");
    }
  }

  private Finding functionNames() {
    String what = "names and lines";
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup("libdw.so.1", arena);
      return Finding.yes(what, "of native functions from debug information, by libdw");
    } catch (IllegalArgumentException e) {
      return Finding.no(
          what,
          "native functions have only the names of their symbol tables, without source lines",
          asRoot + "apt-get install libdw1");
    }
  }

  private Finding memory() {
    Path place = SharedMemory.nextPlace();
    return place == null
        ? Finding.yes("shared memory", "beside the recording: no usual place can be written")
        : memory("path=" + place, SharedMemory.space(place), more(place));
  }

  private String more(Path place) {
    return place.equals(Path.of("/dev/shm"))
        ? asRoot + "mount -o remount,size=1G " + place
        : "KYMO_SHARED_MEMORY=DIRECTORY kymo record --buffer 256K";
  }

  /**
   * Whether there is room for the buffers of threads.
   *
   * @param where it is
   * @param free bytes
   * @param command that makes more of them
   */
  static Finding memory(String where, long free, String command) {
    String how = "%s free=%d MB; a thread has 2 MB (--buffer)".formatted(where, free >> 20);
    return free >= LITTLE_MEMORY
        ? Finding.yes("shared memory", how)
        : new Finding("shared memory", free >= SharedMemory.LEAST, how, command);
  }

  private static Finding clock() {
    return Finding.yes(
        "clock",
        ClockCalibration.best(Runtime.version().feature()).equals(Clock.MONOTONIC)
            ? "the system's monotonic clock: the processor's counter does not go evenly here, or is coarse"
            : "the processor's counter");
  }
}
