package dev.kymo.importers.chrome;

import java.util.HashMap;
import java.util.Map;

/** Stack frames of a file; each has the number of the one that called it. */
final class Frames {
  private static final int MOST = 100_000;
  private static final int DEEPEST = 100;

  private final Map<String, Frame> frames = new HashMap<>();

  private record Frame(String name, String parent) {}

  /** Adds a frame; false if there are too many. */
  boolean add(String id, String name, String parent) {
    if (frames.size() == MOST) {
      return false;
    }
    frames.put(id, new Frame(name, parent));
    return true;
  }

  /** Names of a frame and of those that called it, from the outermost; the number if unknown. */
  String stack(String innermost) {
    StringBuilder stack = new StringBuilder();
    String id = innermost;
    for (int depth = 0; depth < DEEPEST && !id.isEmpty(); depth++) {
      Frame frame = frames.get(id);
      stack.insert(0, (frame == null ? id : frame.name) + (stack.isEmpty() ? "" : ";"));
      id = frame == null ? "" : frame.parent;
    }
    return stack.toString();
  }
}
