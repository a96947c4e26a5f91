package dev.kymo.analysis.events;

import java.util.Arrays;
import java.util.Optional;

/** What a list of everything can be limited to. */
public enum EventGroup {
  /** Begins and ends of calls. */
  CALLS("calls"),
  /** User events, also those that begin and end something. */
  OWN("own"),
  /** Values of user counters. */
  COUNTERS("counters"),
  /** Messages of user events. */
  MESSAGES("messages"),
  /** What threads waited for, as the program reports it. */
  WAITS("waits"),
  /** What the kernel did with threads. */
  SCHEDULED("scheduled"),
  /** Who ended a wait. */
  WAKES("wakes"),
  /** What processors ran. */
  CPU("cpu"),
  /** What the virtual machine did. */
  JVM("jvm"),
  /** The kernel's events, as the kernel has them. */
  KERNEL("kernel"),
  /** Where events are missing. */
  LOST("lost");

  private final String word;

  EventGroup(String word) {
    this.word = word;
  }

  /** As a question names it. */
  public String word() {
    return word;
  }

  /** The group of a name. */
  public static Optional<EventGroup> of(String word) {
    return Arrays.stream(values()).filter(group -> group.word.equals(word)).findFirst();
  }
}
