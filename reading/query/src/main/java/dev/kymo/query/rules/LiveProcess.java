package dev.kymo.query.rules;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What is known of a process while it is recorded: names, and which rules they concern. */
final class LiveProcess {
  private static final String NOTHING = "";

  private final List<LiveRule> rules;
  private final Map<Integer, String> types = new HashMap<>();
  private final Map<Integer, String> subsystems = new HashMap<>();
  private final Map<Integer, String> names = new HashMap<>();
  private final Map<Integer, Definition.TracedThread> threads = new HashMap<>();

  /** By method or event, a bit for each rule that concerns it. */
  private long[] calls = {};

  private long[] events = {};

  /** Rules are numbered as in this list. */
  LiveProcess(List<LiveRule> rules) {
    this.rules = rules;
  }

  void take(Definition definition) {
    switch (definition) {
      case Definition.Type type -> types.put(type.type(), type.name());
      case Definition.Subsystem group -> subsystems.put(group.subsystem(), group.name());
      case Definition.TracedThread thread -> threads.put(thread.thread(), thread);
      case Definition.Method method -> {
        String type = types.getOrDefault(method.type(), NOTHING);
        String name = type.isEmpty() ? method.name() : type + '.' + method.name();
        calls = with(calls, method.method(), name, mask(rule -> rule.concerns(type, name)));
      }
      case Definition.Event event -> {
        String group = subsystems.getOrDefault(event.subsystem(), NOTHING);
        String name = group.isEmpty() ? event.name() : group + '.' + event.name();
        events = with(events, event.event(), name, mask(rule -> rule.concernsEvent(name)));
      }
      default -> {} // says nothing about names
    }
  }

  private long mask(Predicate<LiveRule> concerned) {
    long mask = 0;
    for (int i = 0; i < rules.size(); i++) {
      mask |= concerned.test(rules.get(i)) ? 1L << i : 0;
    }
    return mask;
  }

  private long[] with(long[] masks, int number, String name, long mask) {
    if (number < 0 || number > ThreadRecord.MAX_PAYLOAD) {
      return masks; // damaged
    }
    boolean known = number < masks.length && masks[number] != 0;
    if (mask == 0 && !known) {
      return masks;
    }
    names.put(number, name);
    long[] grown =
        number < masks.length
            ? masks
            : Arrays.copyOf(masks, Math.max(number + 1, masks.length * 2));
    grown[number] = mask;
    return grown;
  }

  /** The rules that a call of a method concerns. */
  long ofCall(int method) {
    return method < calls.length ? calls[method] : 0;
  }

  /** The rules that an event concerns. */
  long ofEvent(int event) {
    return event < events.length ? events[event] : 0;
  }

  /** The name of a method or event that concerns a rule. */
  String name(int number) {
    return names.getOrDefault(number, NOTHING);
  }

  /** The thread with a number; one that is not defined yet is a platform thread without a name. */
  Definition.TracedThread thread(int number) {
    return threads.getOrDefault(
        number,
        new Definition.TracedThread(number, Definition.TracedThread.PLATFORM, 0, 0, NOTHING));
  }
}
