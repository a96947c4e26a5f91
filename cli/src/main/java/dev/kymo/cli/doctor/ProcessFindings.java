package dev.kymo.cli.doctor;

import dev.kymo.drain.SharedMemory;
import dev.kymo.session.container.Container;
import dev.kymo.session.container.ContainerPlace;
import dev.kymo.session.control.RecordedProcess;
import dev.kymo.session.run.AttachRun;
import dev.kymo.session.run.KernelPermission;
import dev.kymo.session.run.NativeOffer;
import dev.kymo.session.run.Preload;
import dev.kymo.session.system.AgentJar;
import dev.kymo.session.system.JavaVersion;
import dev.kymo.session.system.JvmFlags;
import dev.kymo.session.system.OtherUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Findings about what can be recorded of a process that runs. */
final class ProcessFindings {
  /** Since then a virtual machine warns of agents that come later. */
  private static final int WARNS_SINCE = 21;

  private static final int LONGEST_COMMAND = 100;

  private final long pid;
  private final Path process;
  private final Path agent;
  private final boolean java;
  private final boolean apart;
  private final Container container;

  /**
   * Looks at a process.
   *
   * @throws IOException if there is none
   */
  ProcessFindings(long pid) throws IOException {
    this.pid = pid;
    this.process = Path.of("/proc", Long.toString(pid));
    this.agent = AgentJar.find();
    this.java = AttachRun.isJava(pid);
    this.container = Container.of(pid);
    this.apart = container.hasOtherFiles(agent);
  }

  String title() throws IOException {
    byte[] words = Files.readAllBytes(process.resolve("cmdline"));
    String command = new String(words, StandardCharsets.UTF_8).replace('\0', ' ').strip();
    int version = java ? JavaVersion.ofProcess(pid) : 0;
    return "%d: %s; user %s%s%s"
        .formatted(
            pid,
            command.substring(0, Math.min(command.length(), LONGEST_COMMAND)),
            Files.getOwner(process, LinkOption.NOFOLLOW_LINKS).getName(),
            version == 0 ? "" : ", Java " + version,
            apart ? ", with other files, such as in a container" : "");
  }

  /** Everything; what stands first says whether it can be recorded at all. */
  List<Finding> all() throws IOException {
    List<Finding> all = new ArrayList<>();
    all.add(java ? methods() : functions());
    if (apart) {
      all.add(memory());
    }
    all.add(
        Finding.no(
            "locks and messages",
            java
                ? "of its native code only if kymo record starts it; those of Java are recorded"
                : "nothing can be preloaded into a process that runs",
            "kymo record --threads --messages -- COMMAND"));
    return all;
  }

  private Finding memory() throws IOException {
    String place = ContainerPlace.place(container);
    return place == null
        ? noMemory("shared memory")
        : MachineFindings.memory(
            "path=/%s in it".formatted(place),
            container.space(place),
            "mount -N %d -o remount,size=1G /%s".formatted(pid, place));
  }

  private Finding noMemory(String what) throws IOException {
    return Finding.no(
        what,
        "shared memory has no place, its user can write neither to /%s among its files"
            .formatted(String.join(" nor to /", SharedMemory.IN_CONTAINERS)),
        asRoot(ContainerPlace.mend(container)));
  }

  private static String asRoot(String command) throws IOException {
    return KernelPermission.isRoot() || !command.startsWith("mount") ? command : "sudo " + command;
  }

  private Finding methods() throws IOException {
    String what = "Java methods";
    String other = apart ? null : OtherUser.obstacle(pid, agent);
    if (other != null) {
      return Finding.no(what, other, "sudo kymo record --pid " + pid);
    }
    if (RecordedProcess.isRecorded(pid)) {
      return Finding.no(what, "this process is recorded already", "kymo ctl " + pid + " status");
    }
    int version = JavaVersion.ofProcess(pid);
    if (version > 0 && version < MachineFindings.OLDEST_JAVA) {
      return Finding.no(what, "its Java is too old, it needs 17 or later: version=" + version, "");
    }
    JvmFlags flags = JvmFlags.of(pid);
    if (!flags.obstacle().isEmpty()) {
      return Finding.no(what, flags.obstacle(), "kymo record -- java ...");
    }
    if (apart && ContainerPlace.place(container) == null) {
      return noMemory(what);
    }
    Container.Obstacle inside = container.obstacle();
    if (inside != null) {
      return Finding.no(what, inside.why(), asRoot(inside.command()));
    }
    boolean warns = version >= WARNS_SINCE && !flags.isOn("EnableDynamicAgentLoading", false);
    return new Finding(
        what,
        true,
        warns
            ? "its virtual machine will write a warning to its standard error, unless it is started with -XX:+EnableDynamicAgentLoading"
            : "as soon as it is asked",
        "kymo record --pid " + pid + " --duration 10s");
  }

  private Finding functions() throws IOException {
    String what = "native functions";
    if (RecordedProcess.isRecorded(pid)) {
      return Finding.no(what, "this process is recorded already", "kymo ctl " + pid + " status");
    }
    if (apart && ContainerPlace.place(container) == null) {
      return noMemory(what);
    }
    try {
      return NativeOffer.find(pid) != null
          ? new Finding(what, true, "from the next hooked function on", "kymo record --pid " + pid)
          : Finding.no(
              what,
              "it is not a Java program and has no libkymo",
              "kymo record -- COMMAND, or start it with LD_PRELOAD=" + Preload.library(agent));
    } catch (IOException e) {
      return Finding.no(what, String.valueOf(e.getMessage()), "sudo kymo record --pid " + pid);
    }
  }
}
