package dev.kymo.drain;

import dev.kymo.recorder.platform.ProcFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * The processes that have numbers of their own, in a PID name space such as a container's, at one
 * moment.
 */
final class InnerNumbers {
  private static final Path PROC = Path.of("/proc");

  /** Numbers here, by the number that each has for itself. */
  private final Map<Long, List<Integer>> outer = new HashMap<>();

  /** Those that there are now. */
  InnerNumbers() {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        add(process.getFileName().toString());
      }
    } catch (IOException e) {
      // then none is known
    }
  }

  private void add(String pid) {
    try {
      if (User.hasOwnNumbers(pid)) {
        outer
            .computeIfAbsent(User.innermost(pid), none -> new ArrayList<>())
            .add(Integer.valueOf(pid));
      }
    } catch (IOException e) {
      // it has ended
    }
  }

  /**
   * The number here of the process whose folder this is; 0 if it has ended.
   *
   * @param claimed the number that it gives
   * @param mayBe decides where it cannot be seen whether a process uses the folder
   */
  int here(int claimed, Path folder, LongPredicate mayBe) {
    for (int pid : outer.getOrDefault((long) claimed, List.of())) {
      Home.Use use = Home.use(Integer.toString(pid), folder);
      if (use == Home.Use.YES || (use == Home.Use.UNKNOWN && mayBe.test(pid))) {
        return pid;
      }
    }
    return switch (Home.use(Integer.toString(claimed), folder)) {
      case YES -> claimed;
      case NO -> 0;
      case UNKNOWN -> mayBe.test(claimed) || !isOlder(claimed) ? claimed : 0;
    };
  }

  /** What was there before this recorder is recorded only if it was asked for. */
  private static boolean isOlder(int pid) {
    return Home.isAlive(pid, ProcFiles.startTime("self") - 1);
  }
}
