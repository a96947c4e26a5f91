package dev.kymo.cli.record;

import dev.kymo.session.OutputFile;
import dev.kymo.session.system.AgentJar;
import dev.kymo.session.system.Inherited;
import dev.kymo.session.system.UserFolders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kymo demo}: from nothing to a picture, with a program that is there. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Records the bundled program, a shop on an SQL database, and shows its picture.")
public final class DemoCommand implements Callable<Integer> {
  /** Enough to see what a database does; all of it would be mostly comparisons of values. */
  private static final List<String> INCLUDED =
      List.of(
          "dev.kymo.demo",
          "org.h2.jdbc",
          "org.h2.command",
          "org.h2.engine",
          "org.h2.table",
          "org.h2.index",
          "org.h2.mvstore.tx");

  public static final List<String> RUNS = List.of("record", "view");

  /** Its process follows, because two may run at a time. */
  private static final String NAME = "shop-";

  @Spec private CommandSpec spec;

  @Option(names = "--no-browser", description = "Only print the link.")
  private boolean noBrowser;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port on 127.0.0.1; default: any free one.")
  private int port;

  @Override
  public Integer call() throws IOException {
    Path program = AgentJar.find().resolveSibling("../demo").normalize();
    if (!Files.isDirectory(program)) {
      throw new IOException("the installation is incomplete: missing=" + program);
    }
    Path recording = place();
    List<String> record = new ArrayList<>(List.of("record", "-o", recording.toString()));
    // It ends before a budget would have allowed them: threads that only wait would look busy.
    record.addAll(List.of("--waits", "on", "--no-memory"));
    INCLUDED.forEach(name -> record.addAll(List.of("--include", name)));
    record.addAll(
        List.of(
            "--",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            program + "/*",
            "dev.kymo.demo.Shop"));
    CommandLine kymo = spec.parent().commandLine();
    int exit = kymo.execute(record.toArray(String[]::new));
    if (exit != 0) {
      return exit;
    }
    List<String> view =
        new ArrayList<>(List.of("view", recording.toString(), "--port", Integer.toString(port)));
    if (noBrowser) {
      view.add("--no-browser");
    }
    return kymo.execute(view.toArray(String[]::new));
  }

  /** Where the recording is to be; that of an earlier demo, which has ended, goes. */
  private static Path place() throws IOException {
    Path folder =
        Files.createDirectories(UserFolders.cache(Inherited.find().environment()).resolve("demo"));
    try (DirectoryStream<Path> earlier = Files.newDirectoryStream(folder, NAME + "*")) {
      for (Path recording : earlier) {
        if (!isShown(recording)) {
          OutputFile.delete(recording);
        }
      }
    }
    return folder.resolve(NAME + ProcessHandle.current().pid() + ".kymo");
  }

  private static boolean isShown(Path recording) {
    String pid = recording.getFileName().toString().replaceAll("\\D", "");
    return !pid.isEmpty() && ProcessHandle.of(Long.parseLong(pid)).isPresent();
  }
}
