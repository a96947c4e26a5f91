package dev.kymo.server;

import dev.kymo.model.timeline.Timeline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Distinct names for recordings that are shown together. */
public final class RecordingNames {
  private RecordingNames() {}

  /**
   * Their own names; those that several have with as many folders before them as make them differ:
   * {@code before/run.kymo}, {@code after/run.kymo}.
   *
   * @return one for each timeline
   */
  public static List<String> of(List<Timeline> timelines) {
    List<String> names = new ArrayList<>();
    for (Timeline timeline : timelines) {
      List<Timeline> same =
          timelines.stream().filter(other -> other.name().equals(timeline.name())).toList();
      names.add(name(timeline, timeline.directory().isEmpty() ? List.of() : same));
    }
    return names;
  }

  private static String name(Timeline timeline, List<Timeline> same) {
    int most = timeline.directory().map(RecordingNames::length).orElse(0);
    for (int parts = 2; same.size() > 1 && parts <= most; parts++) {
      List<String> all = new ArrayList<>();
      for (Timeline other : same) {
        all.add(end(other, parts));
      }
      if (new HashSet<>(all).size() == all.size()) {
        return end(timeline, parts);
      }
    }
    return timeline.name();
  }

  private static int length(Path path) {
    return path.toAbsolutePath().normalize().getNameCount();
  }

  private static String end(Timeline timeline, int parts) {
    if (timeline.directory().isEmpty()) {
      return timeline.name();
    }
    Path path = timeline.directory().get().toAbsolutePath().normalize();
    int names = path.getNameCount();
    return path.subpath(Math.max(0, names - parts), names).toString();
  }
}
