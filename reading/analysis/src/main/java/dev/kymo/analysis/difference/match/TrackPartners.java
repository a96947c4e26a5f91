package dev.kymo.analysis.difference.match;

import dev.kymo.analysis.difference.paths.ThreadRole;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tracks of another recording that stand for those of one, as far as their names say. */
public final class TrackPartners {
  private TrackPartners() {}

  /**
   * By track: that of the same name or, if there is none, of those of its role the one with its
   * number among them or the last; -1 = the other recording has none of the role.
   */
  public static int[] of(Timeline timeline, Timeline other) {
    Map<String, Integer> byName = new HashMap<>();
    Map<String, List<Integer>> byRole = new HashMap<>();
    for (Track track : other.tracks()) {
      byName.putIfAbsent(name(other, track), track.id());
      byRole.computeIfAbsent(role(other, track), r -> new ArrayList<>()).add(track.id());
    }
    Map<String, Integer> seen = new HashMap<>();
    int[] partners = new int[timeline.tracks().size()];
    for (Track track : timeline.tracks()) {
      String role = role(timeline, track);
      int number = seen.merge(role, 1, Integer::sum) - 1;
      List<Integer> others = byRole.getOrDefault(role, List.of());
      Integer same = track.name().isEmpty() ? null : byName.get(name(timeline, track));
      partners[track.id()] =
          same != null
              ? same
              : others.isEmpty() ? -1 : others.get(Math.min(number, others.size() - 1));
    }
    return partners;
  }

  /** Tracks of different kinds stand for nothing of each other. */
  private static String role(Timeline timeline, Track track) {
    return track.kind() + " " + ThreadRole.of(timeline, track).text();
  }

  private static String name(Timeline timeline, Track track) {
    return role(timeline, track) + " " + track.name();
  }
}
