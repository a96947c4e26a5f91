package dev.kymo.recorder.userevents;

import java.util.ArrayList;
import java.util.List;

/** Decides which events are on and which trigger something; the last rule for an event counts. */
final class EventRules {
  private record Rule(EventPattern pattern, boolean on) {}

  private final List<Rule> rules = new ArrayList<>();
  private final List<Trigger> triggers;

  EventRules(EventOptions options) {
    options.disabled().forEach(text -> add(EventPattern.of(text), false));
    triggers = options.triggers();
  }

  /** Adds a rule for a pattern, which replaces earlier rules for the same pattern. */
  void add(EventPattern pattern, boolean on) {
    rules.removeIf(rule -> rule.pattern().equals(pattern));
    rules.add(new Rule(pattern, on));
  }

  /** The notices about triggers that have matched no event. */
  List<String> unused() {
    return triggers.stream().filter(t -> !t.isNamed()).map(Trigger::hint).toList();
  }

  boolean hasTriggers() {
    return !triggers.isEmpty();
  }

  void apply(UserEvent event) {
    event.enabled = true;
    for (Rule rule : rules) {
      if (rule.pattern().matches(event.subsystem, event.definition)) {
        event.enabled = rule.on();
      }
    }
    for (Trigger trigger : triggers) {
      if (trigger.matches(event.subsystem, event.definition)) {
        event.triggers.add(trigger);
      }
    }
  }
}
