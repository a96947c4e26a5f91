package dev.kymo.testkit.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that were started by a test and do not end: shows what they wait for, ends them. */
public final class HangingPrograms {
  private static final long DUMP_SECONDS = 20;

  private HangingPrograms() {}

  /** What the threads of a process and of all its descendants do, as text; then they are killed. */
  public static String end(ProcessHandle process) {
    List<ProcessHandle> all = new ArrayList<>(List.of(process));
    process.descendants().forEach(all::add);
    return end(all);
  }

  /** What the threads of these processes do, as text; then they are killed. */
  static String end(List<ProcessHandle> processes) {
    StringBuilder text = new StringBuilder();
    for (ProcessHandle process : processes) {
      text.append("process ").append(process.pid()).append(": ");
      text.append(process.info().commandLine().orElse("?")).append('\n');
      text.append(isJava(process) ? javaThreads(process.pid()) : threads(process.pid()));
    }
    processes.forEach(ProcessHandle::destroyForcibly);
    return text.toString();
  }

  private static boolean isJava(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("/java")).isPresent();
  }

  private static String javaThreads(long pid) {
    String jstack = Path.of(System.getProperty("java.home"), "bin", "jstack").toString();
    try {
      Path output = Files.createTempFile("threads", ".txt");
      try {
        Process dump =
            new ProcessBuilder(jstack, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!dump.waitFor(DUMP_SECONDS, TimeUnit.SECONDS)) {
          dump.destroyForcibly();
        }
        return Files.readString(output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      return "no thread dump: " + e + "\n";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "no thread dump: interrupted\n";
    }
  }

  /** Where the kernel has each thread wait. */
  private static String threads(long pid) {
    StringBuilder text = new StringBuilder();
    try (var tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path task : tasks) {
        text.append("  thread ").append(task.getFileName()).append(' ');
        text.append(Files.readString(task.resolve("comm")).strip()).append(": ");
        text.append(Files.readString(task.resolve("wchan")).strip()).append('\n');
      }
    } catch (IOException e) {
      text.append("  ").append(e).append('\n'); // it has ended
    }
    return text.toString();
  }
}
