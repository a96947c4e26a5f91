package dev.kymo.recorder;

import java.util.ArrayList;
import java.util.List;

/** Which events are on and which trigger something; the last word about an event counts. */
final class EventRules {
  private record Rule(EventPattern pattern, boolean on) {}

  private final List<Rule> rules = new ArrayList<>();
  private final List<Trigger> triggers;

  EventRules(EventOptions options) {
    options.disabled().forEach(text -> add(EventPattern.of(text), false));
    triggers = options.triggers();
  }

  /** The last word about what a pattern means; what was said of the same before is forgotten. */
  void add(EventPattern pattern, boolean on) {
    rules.removeIf(rule -> rule.pattern().equals(pattern));
    rules.add(new Rule(pattern, on));
  }

  /** What is to be said of triggers that have named no event. */
  List<String> unused() {
    return triggers.stream().filter(t -> !t.isNamed()).map(Trigger::hint).toList();
  }

  boolean hasTriggers() {
    return !triggers.isEmpty();
  }

  /** Gives a new event what was said of such ones. */
  void apply(OwnEvent event) {
    event.enabled = true;
    for (Rule rule : rules) {
      if (rule.pattern().matches(event)) {
        event.enabled = rule.on();
      }
    }
    for (Trigger trigger : triggers) {
      if (trigger.matches(event)) {
        event.triggers.add(trigger);
      }
    }
  }
}
