package dev.kymo.importers.ctf.type;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The structures of a packet and an event, in their order. */
public enum CtfScope {
  PACKET_HEADER("trace", "packet", "header"),
  PACKET_CONTEXT("stream", "packet", "context"),
  EVENT_HEADER("stream", "event", "header"),
  COMMON_CONTEXT("stream", "event", "context"),
  CONTEXT("event", "context"),
  FIELDS("event", "fields");

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> path;

  CtfScope(String... path) {
    this.path = List.of(path);
  }

  /** How TSDL calls it. */
  public List<String> path() {
    return path;
  }

  /** The scope that an absolute path begins with; null = the path is relative. */
  public static @Nullable CtfScope of(List<String> path) {
    for (CtfScope scope : values()) {
      if (path.size() > scope.path.size()
          && path.subList(0, scope.path.size()).equals(scope.path)) {
        return scope;
      }
    }
    return null;
  }
}
