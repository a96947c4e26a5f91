package dev.kymo.tables;

import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Names of the groups that rows of statistics are about. */
public final class GroupNames {
  private final List<Track> tracks;
  private final Grouping by;
  private final Map<Integer, String> processes = new HashMap<>();
  private final Set<String> repeated = new HashSet<>();

  public GroupNames(Timeline timeline, Grouping by) {
    this(timeline.tracks(), timeline.processes(), by);
  }

  GroupNames(List<Track> tracks, List<TracedProcess> processes, Grouping by) {
    this.tracks = tracks;
    this.by = by;
    processes.forEach(p -> this.processes.put(p.process(), p.command()));
    Map<String, Integer> seen = new HashMap<>();
    for (Track track : tracks) {
      int owner = track.of() >= 0 ? track.of() : track.id();
      if (owner == track.id() && seen.merge(track.name(), 1, Integer::sum) > 1) {
        repeated.add(track.name());
      }
    }
  }

  /** As a table for people has it. */
  public String of(int group) {
    return switch (by) {
      case NONE -> "";
      case PROCESS -> "process %d %s".formatted(group, processName(group)).strip();
      case THREAD -> thread(tracks.get(group));
      case CORE -> group < 0 ? "?" : "core " + group;
    };
  }

  private String thread(Track track) {
    String name = track.name().isEmpty() ? "thread" : track.name();
    boolean alone = !track.name().isEmpty() && !repeated.contains(track.name());
    String numbered = alone ? name : name + '/' + track.thread();
    return processes.size() > 1 && repeated.contains(track.name())
        ? numbered + ", process " + track.process()
        : numbered;
  }

  private String processName(int process) {
    return processes.getOrDefault(process, "");
  }

  /** Number of the process; null if the group is none of a process. */
  private @Nullable Long process(int group) {
    return switch (by) {
      case NONE, CORE -> null;
      case PROCESS -> (long) group;
      case THREAD -> (long) tracks.get(group).process();
    };
  }

  private @Nullable Long number(int group) {
    return by == Grouping.THREAD ? (long) tracks.get(group).thread() : null;
  }

  /** Name of the thread or process; null of others. */
  private @Nullable String name(int group) {
    return switch (by) {
      case NONE, CORE -> null;
      case PROCESS -> processName(group);
      case THREAD -> tracks.get(group).name();
    };
  }

  /** Number of the processor; null if the group is none, or it is not known. */
  private @Nullable Long core(int group) {
    return by == Grouping.CORE && group >= 0 ? (long) group : null;
  }

  /**
   * What is known of the group of a row, in columns.
   *
   * @param before the ids: empty, or such as {@code from_}
   */
  <R> List<Column<R>> columns(String before, ToIntFunction<R> group) {
    return List.of(
        Column.number(
            before + "process",
            "process",
            "number of the process",
            row -> process(group.applyAsInt(row))),
        Column.number(
            before + "thread",
            "thread",
            "number of the thread",
            row -> number(group.applyAsInt(row))),
        Column.text(
            before.isEmpty() ? "group_name" : before + "name",
            "name",
            "of the thread or process",
            row -> name(group.applyAsInt(row))),
        Column.number(
            before + "core", "core", "of the processor", row -> core(group.applyAsInt(row))));
  }
}
