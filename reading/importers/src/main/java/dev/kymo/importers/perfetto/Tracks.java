package dev.kymo.importers.perfetto;

import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Tracks of the recording for those of the trace. */
final class Tracks {
  /** Tracks that are described by each other in a circle end here. */
  private static final int DEEPEST = 32;

  private final Target target;
  private final Survey survey;
  private final Map<Long, TargetTrack> byUuid = new HashMap<>();
  private final Map<Integer, TargetProcess> processes = new HashMap<>();
  private final Map<Long, String> counters = new HashMap<>();

  Tracks(Target target, Survey survey) {
    this.target = target;
    this.survey = survey;
  }

  /** The track with a number; a counter has that of its parent. */
  TargetTrack of(long uuid) throws IOException {
    return of(uuid, 0);
  }

  private TargetTrack of(long uuid, int depth) throws IOException {
    TargetTrack known = byUuid.get(uuid);
    if (known == null) {
      known = make(uuid, depth);
      byUuid.put(uuid, known);
    }
    return known;
  }

  private TargetTrack make(long uuid, int depth) throws IOException {
    Survey.TrackFacts facts = survey.track(uuid);
    if (facts == null) {
      String name = uuid == 0 ? "global" : "track " + Long.toUnsignedString(uuid);
      return process(0).track(name);
    }
    if (facts.counter()) {
      counters.put(uuid, facts.name());
      boolean alone = facts.parent() == 0 || depth == DEEPEST;
      return alone ? process(facts.pid()).track(facts.name()) : of(facts.parent(), depth + 1);
    }
    if (facts.tid() != 0) {
      return process(facts.pid()).thread(facts.tid(), name(facts, "thread " + facts.tid()));
    }
    int pid = pid(facts, 0);
    return process(pid).track(name(facts, pid == 0 ? "track" : "process"));
  }

  private static String name(Survey.TrackFacts facts, String otherwise) {
    return facts.name().isEmpty() ? otherwise : facts.name();
  }

  private int pid(Survey.TrackFacts facts, int depth) {
    if (facts.pid() != 0 || facts.parent() == 0 || depth == DEEPEST) {
      return facts.pid();
    }
    Survey.TrackFacts parent = survey.track(facts.parent());
    return parent == null ? 0 : pid(parent, depth + 1);
  }

  /** Name of a counter's track. */
  String counter(long uuid) throws IOException {
    of(uuid);
    return counters.getOrDefault(uuid, "counter");
  }

  private TargetProcess process(int pid) throws IOException {
    TargetProcess known = processes.get(pid);
    if (known == null) {
      known = target.process(pid, 0, survey.process(pid), "");
      processes.put(pid, known);
    }
    return known;
  }
}
