package dev.kymo.session.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gets packages from Debian into a directory, with lists of its own: nothing of this system
 * changes, and no rights are needed.
 */
final class DebianPackages {
  private static final String SUPPORTED = "bookworm";
  private static final Path RELEASE = Path.of("/etc/os-release");
  private static final Path APT = Path.of("/etc/apt");
  private static final Pattern TO_INSTALL =
      Pattern.compile("(?m)^Inst (lib\\S+|seabios|qemu-system-\\S+) .*?\\(([^ )]+)");
  private static final Pattern DEPENDS = Pattern.compile("Depends: (linux-image-\\S+)");

  /** The system's own hooks would clean its own files; a sandbox could not write here. */
  private static final String CONFIGURATION =
      """
      Dir::Etc::sourcelist "%1$s/sources.list";
      Dir::Etc::sourceparts "/dev/null";
      Dir::State::lists "%1$s/lists";
      Dir::Cache "%1$s/cache";
      APT::Sandbox::User "root";
      APT::Get::Assume-Yes "true";
      #clear APT::Update::Post-Invoke;
      #clear APT::Update::Post-Invoke-Success;
      """;

  private final Path directory;
  private final String backports;

  private DebianPackages(Path directory, String backports) {
    this.directory = directory;
    this.backports = backports;
  }

  /**
   * Reads which packages there are.
   *
   * @param directory empty, for files that are only needed meanwhile
   * @throws IOException that says what would be needed
   */
  static DebianPackages open(Path directory) throws IOException, InterruptedException {
    String release = release();
    Files.writeString(
        directory.resolve("sources.list"), new DebianSources(APT).lines(release, true));
    Files.createDirectories(directory.resolve("lists/partial"));
    Files.createDirectories(directory.resolve("cache/archives/partial"));
    Files.writeString(directory.resolve("apt.conf"), CONFIGURATION.formatted(directory));
    DebianPackages packages = new DebianPackages(directory, release + "-backports");
    packages.run("apt-get", "-q", "update");
    return packages;
  }

  private static String release() throws IOException {
    String text = Files.isReadable(RELEASE) ? Files.readString(RELEASE) : "";
    Matcher matcher = Pattern.compile("(?m)^VERSION_CODENAME=\"?(\\w+)").matcher(text);
    String release = matcher.find() ? matcher.group(1) : "unknown";
    if (!release.equals(SUPPORTED)
        || !Files.exists(APT)
        || !System.getProperty("os.arch").equals("amd64")) {
      throw new IOException(
          "QEMU 10 and a kernel come from Debian 12 for x86-64, this system is another: release=%s architecture=%s"
              .formatted(release, System.getProperty("os.arch")));
    }
    return release;
  }

  private String run(String program, String... words) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(program, "-c", directory + "/apt.conf"));
    all.addAll(List.of(words));
    try {
      return HostProgram.run(directory, Map.of("LC_ALL", "C"), all);
    } catch (IOException e) {
      throw new IOException(
          "packages cannot be had from Debian, which needs a network: " + e.getMessage(), e);
    }
  }

  /** Unpacks QEMU's system mode for x86, and libraries that this system lacks for it. */
  void unpackQemu(Path to) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("-q", "-t", backports, "download"));
    String plan =
        run(
            "apt-get",
            "-s",
            "-t",
            backports,
            "--no-install-recommends",
            "install",
            "qemu-system-x86");
    Matcher matcher = TO_INSTALL.matcher(plan);
    while (matcher.find()) {
      words.add(matcher.group(1) + "=" + matcher.group(2));
    }
    for (String each : List.of("qemu-system-x86", "qemu-system-data", "seabios")) {
      if (words.stream().noneMatch(word -> word.startsWith(each + "="))) {
        words.add(each);
      }
    }
    run("apt-get", words.toArray(String[]::new));
    unpack(to);
  }

  /** Unpacks the kernel for virtual machines; returns its package's name. */
  String unpackKernel(Path to) throws IOException, InterruptedException {
    Matcher matcher = DEPENDS.matcher(run("apt-cache", "depends", "linux-image-cloud-amd64"));
    if (!matcher.find()) {
      throw new IOException("Debian has no kernel for virtual machines: linux-image-cloud-amd64");
    }
    run("apt-get", "-q", "download", matcher.group(1));
    unpack(to);
    return matcher.group(1);
  }

  private void unpack(Path to) throws IOException, InterruptedException {
    try (DirectoryStream<Path> packages = Files.newDirectoryStream(directory, "*.deb")) {
      for (Path each : packages) {
        HostProgram.run(directory, Map.of(), List.of("dpkg", "-x", each.toString(), to.toString()));
        Files.delete(each);
      }
    }
  }
}
