package dev.kymo.importers.paje;

import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Containers of a file, found by alias or name. A container is a track in the process of the
 * container that it is in; further types of its states have tracks of their own.
 */
final class Containers {
  /** Each process has files of its own. */
  private static final int MOST_PROCESSES = 300;

  private static final int MOST_TRACKS = 50_000;

  private final Map<String, Container> containers = new HashMap<>();
  private final Container root;
  private int processes;
  private int tracks;

  static final class Container {
    private final String name;
    private final @Nullable Container parent;
    private final List<Container> children = new ArrayList<>();
    private final Map<PajeTypes.PajeType, Lane> lanes = new HashMap<>();
    private final Map<PajeTypes.PajeType, Variable> variables = new HashMap<>();
    private @Nullable TargetProcess process;
    private @Nullable TargetTrack track;

    Container(String name, @Nullable Container parent) {
      this.name = name;
      this.parent = parent;
    }

    String name() {
      return name;
    }

    List<Container> children() {
      return children;
    }

    Iterable<Lane> lanes() {
      return lanes.values();
    }

    Variable variable(PajeTypes.PajeType type) {
      return variables.computeIfAbsent(type, none -> new Variable());
    }
  }

  /** States of one type: their track, and how many are open. */
  static final class Lane {
    final TargetTrack track;
    int depth;

    Lane(TargetTrack track) {
      this.track = track;
    }
  }

  static final class Variable {
    double value;
    long time = -1;

    boolean isSet() {
      return time >= 0;
    }
  }

  Containers(String file) {
    root = new Container(file, null);
    containers.put("0", root);
    containers.put("/", root);
    containers.put("", root);
  }

  int size() {
    return containers.size();
  }

  /** The container with an alias or a name; null if there is none. */
  @Nullable Container get(String text) {
    return containers.get(text);
  }

  void create(String alias, String name, Container parent) {
    Container container = new Container(name, parent);
    parent.children.add(container);
    if (!alias.isEmpty()) {
      containers.put(alias, container);
    }
    if (alias.isEmpty()) {
      containers.put(name, container);
    } else {
      containers.putIfAbsent(name, container);
    }
  }

  private TargetProcess process(Target target, Container container) throws IOException {
    TargetProcess known = container.process;
    if (known == null) {
      known =
          processes >= MOST_PROCESSES && container != root
              ? process(target, root)
              : target.process(0, 0, container.name, "");
      processes++;
      container.process = known;
    }
    return known;
  }

  TargetTrack track(Target target, Container container) throws IOException {
    TargetTrack known = container.track;
    if (known == null) {
      known = newTrack(target, container, container.name);
      container.track = known;
    }
    return known;
  }

  private TargetTrack newTrack(Target target, Container container, String name) throws IOException {
    Container parent = container.parent == null ? root : container.parent;
    if (tracks >= MOST_TRACKS && container != root) {
      target.troubles().count("tracks beyond 50000 share one", "container=\"" + name + "\"");
      return track(target, root);
    }
    tracks++;
    return process(target, parent).track(name);
  }

  Lane lane(Target target, Container container, PajeTypes.PajeType type) throws IOException {
    Lane known = container.lanes.get(type);
    if (known == null) {
      known =
          new Lane(
              container.lanes.isEmpty()
                  ? track(target, container)
                  : newTrack(target, container, container.name + " " + type.name()));
      container.lanes.put(type, known);
    }
    return known;
  }
}
