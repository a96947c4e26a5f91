package dev.kymo.importers.chrome;

import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Processes and threads; those beyond a bound share one, so that a damaged file makes not too many.
 */
final class Tracks {
  private static final int MOST_PROCESSES = 300;
  private static final int MOST_TRACKS = 50_000;

  private final Target target;
  private final Survey survey;
  private final Map<String, TargetProcess> processes = new HashMap<>();
  private final Map<Place, TargetTrack> threads = new HashMap<>();
  private int tracks;

  private record Place(String pid, String tid) {}

  Tracks(Target target, Survey survey) {
    this.target = target;
    this.survey = survey;
  }

  TargetProcess process(String pid) throws IOException {
    TargetProcess known = processes.get(pid);
    if (known == null) {
      if (processes.size() >= MOST_PROCESSES) {
        target.troubles().count("processes beyond 300 share one", "pid=" + pid);
        return pid.isEmpty() ? processes.values().iterator().next() : process("");
      }
      known = target.process(number(pid), 0, name(pid), "");
      processes.put(pid, known);
    }
    return known;
  }

  private String name(String pid) {
    String name = survey.process(pid);
    return name.isEmpty() ? (pid.isEmpty() ? "process" : "process " + pid) : name;
  }

  TargetTrack thread(String pid, String tid) throws IOException {
    Place place = new Place(pid, tid);
    TargetTrack known = threads.get(place);
    if (known == null) {
      if (tracks >= MOST_TRACKS) {
        target.troubles().count("tracks beyond 50000 share one", "pid=" + pid + " tid=" + tid);
        return threads.values().iterator().next();
      }
      known = process(pid).thread(number(tid), threadName(pid, tid));
      threads.put(place, known);
      tracks++;
    }
    return known;
  }

  private String threadName(String pid, String tid) {
    String name = survey.thread(pid, tid);
    return name.isEmpty() ? (tid.isEmpty() ? "process" : "thread " + tid) : name;
  }

  /** A new track for something that no thread does; a shared one if there are too many. */
  TargetTrack beside(String pid, String name) throws IOException {
    if (tracks >= MOST_TRACKS) {
      return thread(pid, "");
    }
    tracks++;
    return process(pid).track(name);
  }

  /** The number in a text; 0 if it is none. */
  private static int number(String text) {
    try {
      return text.isEmpty() || text.length() > 10 ? 0 : (int) Math.max(0, Long.parseLong(text));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
