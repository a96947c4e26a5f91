package dev.kymo.query.rules;

import dev.kymo.analysis.names.NameGlob;
import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.format.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule that can be judged while records come, by the record at hand and the calls around it.
 *
 * @param kind what it is about
 * @param name of methods or events, or the word of a kind of wait; null = any wait
 * @param over nanoseconds; -1 = none at all is allowed
 */
record LiveRule(Rule rule, Kind kind, @Nullable NameGlob name, long over, ThreadFilter threads) {
  private static final String POSSIBLE =
      "while recording, only 'no call of', 'no event' without 'with', and 'no wait', with 'in"
          + " thread', can be judged; 'kymo check' judges the others afterwards";

  /** What is not to be. */
  enum Kind {
    CALL,
    WAIT,
    EVENT
  }

  /** Takes a rule; a mistake if it needs more than that. */
  static LiveRule of(Rule rule) throws RuleText.Mistake {
    return switch (rule.condition()) {
      case Condition.NoCall call ->
          of(rule, Kind.CALL, new NameGlob(call.method()), call.over(), call.scope());
      case Condition.NoWait wait ->
          of(
              rule,
              Kind.WAIT,
              wait.kind() == null ? null : new NameGlob(wait.kind()),
              wait.over(),
              wait.scope());
      case Condition.NoEvent event when event.test() == null ->
          of(rule, Kind.EVENT, new NameGlob(event.event()), -1, event.scope());
      default -> throw new RuleText.Mistake(POSSIBLE);
    };
  }

  private static LiveRule of(Rule rule, Kind kind, @Nullable NameGlob name, long over, Scope scope)
      throws RuleText.Mistake {
    if (scope.during() != null || scope.from() != 0 || scope.to() != Long.MAX_VALUE) {
      throw new RuleText.Mistake(POSSIBLE);
    }
    String thread = scope.thread();
    return new LiveRule(
        rule, kind, name, over, new ThreadFilter(thread == null ? List.of() : List.of(thread)));
  }

  /** Whether it may be about a method with this type and whole name. */
  boolean concerns(String type, String qualified) {
    NameGlob wanted = name;
    return switch (kind) {
      case CALL -> wanted != null && wanted.test(qualified);
      case WAIT ->
          wanted == null
              ? WaitKind.of(type).filter(wait -> wait != WaitKind.WEAVING).isPresent()
              : wanted.test(type);
      case EVENT -> false;
    };
  }

  /** Whether it is about an event with this whole name. */
  boolean concernsEvent(String qualified) {
    NameGlob wanted = name;
    return kind == Kind.EVENT && wanted != null && wanted.test(qualified);
  }

  /** Whether it is about what such a thread, or track, has. */
  boolean concerns(TracedThread thread) {
    boolean states = thread.kind() == TracedThread.STATES;
    boolean calls = thread.kind() == TracedThread.PLATFORM || thread.kind() == TracedThread.VIRTUAL;
    return (kind == Kind.WAIT ? states : calls) && threads.test(thread);
  }
}
