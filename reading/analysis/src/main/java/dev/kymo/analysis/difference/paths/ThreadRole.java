package dev.kymo.analysis.difference.paths;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Purpose of a thread, as far as its name says: threads of a pool differ by numbers only.
 *
 * @param process what the process is called, without numbers and folders; empty if there is one
 * @param name with {@code #} for each number
 */
public record ThreadRole(String process, String name) {
  private static final Pattern NUMBER = Pattern.compile("(0x[0-9a-fA-F]+|\\d+)");
  private static final Pattern FOLDER = Pattern.compile("[^ :=]*/");
  private static final int LONGEST = 200;

  static ThreadRole of(String process, TracedThread thread) {
    return of(process, thread.name(), thread.kind() == TracedThread.VIRTUAL);
  }

  private static ThreadRole of(String process, String name, boolean virtual) {
    if (name.isEmpty()) {
      return new ThreadRole(process, virtual ? "virtual threads" : "nameless threads");
    }
    return new ThreadRole(process, withoutNumbers(name));
  }

  /** That of a track of calls. */
  public static ThreadRole of(Timeline timeline, Track track) {
    List<TracedProcess> all = timeline.processes();
    String process =
        all.size() == 1
            ? ""
            : all.stream()
                .filter(each -> each.process() == track.process())
                .map(ThreadRole::process)
                .findFirst()
                .orElse("");
    return of(process, track.name(), track.virtual());
  }

  /** The same for processes that do the same in different runs. */
  static String process(TracedProcess process) {
    String command = FOLDER.matcher(process.command()).replaceAll("");
    String same = withoutNumbers(command);
    return same.length() > LONGEST ? same.substring(0, LONGEST) : same;
  }

  private static String withoutNumbers(String name) {
    return NUMBER.matcher(name).replaceAll("#");
  }

  /** For people. */
  public String text() {
    return process.isEmpty() ? name : name + " of " + process;
  }
}
