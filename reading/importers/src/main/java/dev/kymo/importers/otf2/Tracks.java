package dev.kymo.importers.otf2;

import dev.kymo.importers.otf2.archive.ArchiveDefinitions;
import dev.kymo.importers.otf2.archive.Defined.Location;
import dev.kymo.importers.otf2.archive.Reference;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A process for each location group, with a track for each of its locations. */
final class Tracks {
  /** Each process has files of its own. */
  private static final int MOST_PROCESSES = 1000;

  private final Target target;
  private final ArchiveDefinitions definitions;
  private final Map<Integer, Functions> processes = new HashMap<>();
  private final Map<Long, TargetTrack> tracks = new HashMap<>();
  private @Nullable Functions shared;

  Tracks(Target target, ArchiveDefinitions definitions) throws IOException {
    this.target = target;
    this.definitions = definitions;
    for (Location location : definitions.locations()) {
      tracks.put(location.id(), track(location));
    }
  }

  private TargetTrack track(Location location) throws IOException {
    String name = definitions.name(Reference.LOCATION, location.id());
    Functions of = process(location.group());
    return of.process().track(of == shared ? groupName(location.group()) + " " + name : name);
  }

  private Functions process(int group) throws IOException {
    Functions known = processes.get(group);
    if (known == null) {
      known = processes.size() < MOST_PROCESSES ? start(groupName(group)) : shared(group);
      processes.put(group, known);
    }
    return known;
  }

  private Functions start(String name) throws IOException {
    return new Functions(target, target.process(0, 0, name, ""), definitions);
  }

  private Functions shared(int group) throws IOException {
    target
        .troubles()
        .count(
            "processes beyond " + MOST_PROCESSES + " are shown as one",
            "process=\"" + groupName(group) + "\"");
    Functions known = shared;
    if (known == null) {
      known = start("other processes");
      shared = known;
    }
    return known;
  }

  private String groupName(int group) {
    return definitions.name(Reference.LOCATION_GROUP, group);
  }

  Functions functions(Location location) {
    return java.util.Objects.requireNonNull(processes.get(location.group()));
  }

  TargetTrack of(Location location) {
    return java.util.Objects.requireNonNull(tracks.get(location.id()));
  }

  /** What an event says of its process and thread: numbers that the kernel has given them. */
  void isNumbered(Location location, long pid, long tid) throws IOException {
    TargetProcess process = functions(location).process();
    if (pid > 0 && functions(location) != shared) {
      process.is((int) pid, 0, groupName(location.group()), "");
    }
    if (tid > 0) {
      process.rename(of(location), (int) tid, definitions.name(Reference.LOCATION, location.id()));
    }
  }
}
