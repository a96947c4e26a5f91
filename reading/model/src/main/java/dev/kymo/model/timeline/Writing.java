package dev.kymo.model.timeline;

/** State of the import that writes a recording while a timeline follows it. */
public interface Writing {
  /** Share of the other tracer's file that was read; 1 = the import has ended. */
  double share();

  /** Why the import has ended early, a sentence; empty if it has not. */
  String trouble();
}
