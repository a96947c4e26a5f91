package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.cli.terminal.JsonFields;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names of the groups that rows of statistics are about. */
final class GroupNames {
  private final List<Track> tracks;
  private final Grouping by;
  private final Map<Integer, String> processes = new HashMap<>();
  private final Set<String> repeated = new HashSet<>();

  GroupNames(Timeline timeline, Grouping by) {
    this.tracks = timeline.tracks();
    this.by = by;
    timeline.processes().forEach(p -> processes.put(p.process(), p.command()));
    Map<String, Integer> seen = new HashMap<>();
    for (Track track : tracks) {
      int owner = track.of() >= 0 ? track.of() : track.id();
      if (owner == track.id() && seen.merge(track.name(), 1, Integer::sum) > 1) {
        repeated.add(track.name());
      }
    }
  }

  /** As a table for people has it. */
  String of(int group) {
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

  /** Number of the process; nothing if the group is none of a process. */
  String process(int group) {
    return switch (by) {
      case NONE, CORE -> "";
      case PROCESS -> Integer.toString(group);
      case THREAD -> Integer.toString(tracks.get(group).process());
    };
  }

  /** Number of the thread; nothing if the group is no thread. */
  String thread(int group) {
    return by == Grouping.THREAD ? Integer.toString(tracks.get(group).thread()) : "";
  }

  /** Name of the thread or process; nothing of others. */
  String name(int group) {
    return switch (by) {
      case NONE, CORE -> "";
      case PROCESS -> processName(group);
      case THREAD -> tracks.get(group).name();
    };
  }

  /** Number of the processor; nothing if the group is none, or it is not known. */
  String core(int group) {
    return by == Grouping.CORE && group >= 0 ? Integer.toString(group) : "";
  }

  /**
   * Writes what is known of a group.
   *
   * @param before the fields' names; empty, or such as {@code from}
   */
  void write(JsonGenerator json, String before, int group) throws IOException {
    if (!process(group).isEmpty()) {
      json.writeNumberField(field(before, "process"), Integer.parseInt(process(group)));
    }
    if (by == Grouping.THREAD) {
      json.writeNumberField(field(before, "thread"), tracks.get(group).thread());
    }
    if (by == Grouping.PROCESS || by == Grouping.THREAD) {
      json.writeStringField(field(before, "name"), name(group));
    }
    if (by == Grouping.CORE) {
      JsonFields.number(json, field(before, "core"), group >= 0, group);
    }
  }

  private static String field(String before, String name) {
    if (before.isEmpty()) {
      return name.equals("name") ? "groupName" : name;
    }
    return before + Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
