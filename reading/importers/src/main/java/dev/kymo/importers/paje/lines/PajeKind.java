package dev.kymo.importers.paje.lines;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kinds of events of the format, with the fields that each must have. */
public enum PajeKind {
  DEFINE_CONTAINER_TYPE("PajeDefineContainerType", "Name", "Type"),
  DEFINE_STATE_TYPE("PajeDefineStateType", "Name", "Type"),
  DEFINE_EVENT_TYPE("PajeDefineEventType", "Name", "Type"),
  DEFINE_VARIABLE_TYPE("PajeDefineVariableType", "Name", "Type"),
  DEFINE_LINK_TYPE("PajeDefineLinkType", "Name", "Type"),
  DEFINE_ENTITY_VALUE("PajeDefineEntityValue", "Name", "Type"),
  CREATE_CONTAINER("PajeCreateContainer", "Time", "Name", "Type", "Container"),
  DESTROY_CONTAINER("PajeDestroyContainer", "Time", "Name"),
  SET_STATE("PajeSetState", "Time", "Type", "Container", "Value"),
  PUSH_STATE("PajePushState", "Time", "Type", "Container", "Value"),
  POP_STATE("PajePopState", "Time", "Type", "Container"),
  RESET_STATE("PajeResetState", "Time", "Type", "Container"),
  NEW_EVENT("PajeNewEvent", "Time", "Type", "Container", "Value"),
  SET_VARIABLE("PajeSetVariable", "Time", "Type", "Container", "Value"),
  ADD_VARIABLE("PajeAddVariable", "Time", "Type", "Container", "Value"),
  SUB_VARIABLE("PajeSubVariable", "Time", "Type", "Container", "Value"),
  START_LINK("PajeStartLink", "Time", "Type", "Container", "StartContainer", "Value", "Key"),
  END_LINK("PajeEndLink", "Time", "Type", "Container", "EndContainer", "Value", "Key"),
  TRACE_FILE("PajeTraceFile");

  private static final Map<String, PajeKind> BY_WORD = new HashMap<>();

  static {
    for (PajeKind kind : values()) {
      BY_WORD.put(kind.word, kind);
    }
  }

  private final String word;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
  private final List<String> needed;

  PajeKind(String word, String... needed) {
    this.word = word;
    this.needed = List.of(needed);
  }

  static @Nullable PajeKind of(String word) {
    return BY_WORD.get(word);
  }

  /** Its name in files. */
  public String word() {
    return word;
  }

  List<String> needed() {
    return needed;
  }
}
