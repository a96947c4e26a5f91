package dev.kymo.recorder.userevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which events patterns and triggers mean. */
class TriggerTest {
  private static final Definition.Subsystem DISK =
      new Definition.Subsystem(1, 5, "disk", "I/O", "");

  private static Definition.Event event(String name, int kind) {
    return new Definition.Event(9, 1, 2, kind, name, "", "");
  }

  @ParameterizedTest
  @CsvSource({
    "disk, true",
    "disk.ALLOC, true",
    "disk.A*, true",
    "*, true",
    "*.*C, true",
    "d*.*L*C, true",
    "category:I/O, true",
    "category:*, true",
    "kind:counter, true",
    "kind:COUNTER, true",
    "dis, false",
    "disk.ALLO, false",
    "disk.*D, false",
    "disk.ALLOC*C, false",
    "category:net, false",
    "kind:instant, false"
  })
  void patterns(String pattern, boolean matches) {
    Definition.Event event = event("ALLOC", EventKind.COUNTER.number());
    assertThat(EventPattern.of(pattern).matches(DISK, event)).isEqualTo(matches);
  }

  @Test
  void kindsThatThereAreNot() {
    assertThatThrownBy(() -> EventPattern.of("kind:often"))
        .hasMessage(
            "no such kind of events: kind=often; there are instant, begin, end, counter, send,"
                + " receive");
  }

  @Test
  void argumentsAndOccurrences() {
    Trigger any = Trigger.parse(Trigger.Action.START, "disk");
    assertThat(any.fires(1)).isTrue();
    assertThat(any.fires(2)).isTrue();
    Trigger argument = Trigger.parse(Trigger.Action.START, "disk.ALLOC=0x10");
    assertThat(argument.fires(15)).isFalse();
    assertThat(argument.fires(16)).isTrue();
    Trigger third = Trigger.parse(Trigger.Action.STOP, "disk.ALLOC=-1#2");
    assertThat(third.fires(-1)).isFalse();
    assertThat(third.fires(0)).isFalse();
    assertThat(third.fires(-1)).isTrue();
    assertThat(third.fires(-1)).isFalse();
    assertThat(third.matches(DISK, event("ALLOC", 0))).isTrue();
    assertThat(third.matches(DISK, event("FREE", 0))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"disk.ALLOC=", "disk.ALLOC=x", "disk#0", "disk#-1", "disk#", "disk#a"})
  void notATrigger(String text) {
    assertThatThrownBy(() -> Trigger.parse(Trigger.Action.STOP, text))
        .hasMessage(
            "not a trigger: trigger=\"" + text + "\"; use EVENT, EVENT=ARGUMENT or EVENT#N");
  }
}
