package dev.kymo.drain;

import dev.kymo.format.Definition;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the processes that have joined a recording, and distinguishes them from other files there.
 */
final class ProcessFinder implements RecordedProcesses {
  private final Session session;
  private final Output output;
  private final Consumer<Definition.Notice> notices;

  private final Set<Path> known = new HashSet<>();

  /** Processes that belong to the recording with all processes that they start. */
  private final Set<Long> followed = ConcurrentHashMap.newKeySet();

  /** Processes that have joined and run: a daemon has lost the ancestor that is followed. */
  private final Set<Long> joined = new HashSet<>();

  ProcessFinder(Session session, Output output, Consumer<Definition.Notice> notices) {
    this.session = session;
    this.output = output;
    this.notices = notices;
    follow(ProcessHandle.current().pid()); // what it starts may join before it is told of it
  }

  /** Adds a process, and those that it starts, to the recording; any thread may call this. */
  void follow(long pid) {
    followed.add(pid);
  }

  /** Returns the processes that have joined since the last call. */
  List<ProcessDrain> find() throws IOException {
    List<ProcessDrain> found = new ArrayList<>();
    for (Path folder : fresh()) {
      ProcessDrain process = open(folder);
      if (process != null) {
        known.add(folder);
        joined.add((long) process.pid());
        found.add(process);
      }
    }
    return found;
  }

  /** Folders that are not known, mostly parents before their children. */
  private List<Path> fresh() throws IOException {
    List<Path> fresh = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(session.directory(), "p*")) {
      for (Path folder : folders) {
        if (!known.contains(folder)) {
          fresh.add(folder);
        }
      }
    }
    fresh.sort(
        Comparator.comparingInt((Path folder) -> folder.toString().length())
            .thenComparing(Comparator.naturalOrder()));
    return fresh;
  }

  /** A process that has joined has ended: its number may be given to another one. */
  void ended(long pid) {
    joined.remove(pid);
  }

  private @Nullable ProcessDrain open(Path folder) {
    try {
      return ProcessDrain.open(folder, output, this, notices);
    } catch (DamagedMemoryException e) {
      known.add(folder);
      notices.accept(new Definition.Notice(0, e.what()));
    } catch (IOException | RuntimeException e) {
      known.add(folder);
      notices.accept(
          new Definition.Notice(
              0,
              "a process is not recorded, its folder cannot be opened: folder=%s error=\"%s\""
                  .formatted(folder, e)));
    }
    return null;
  }

  @Override
  public int here(int claimed, Path folder) {
    if (follows(claimed) && !User.hasOwnNumbers(Integer.toString(claimed))) {
      return claimed;
    }
    return new InnerNumbers().here(claimed, folder, this::follows);
  }

  @Override
  public boolean follows(long pid) {
    try {
      for (long at = pid; at > 1; at = User.parent(at)) {
        if (followed.contains(at) || joined.contains(at)) {
          return true;
        }
      }
    } catch (IOException e) {
      // it has ended
    }
    return false;
  }
}
