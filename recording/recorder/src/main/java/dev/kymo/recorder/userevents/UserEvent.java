package dev.kymo.recorder.userevents;

import dev.kymo.format.Definition;
import java.util.ArrayList;
import java.util.List;

/** An event of the program's own: what it is, and where the program looks for its number. */
final class UserEvent {
  final Definition.Subsystem subsystem;
  final Definition.Event definition;

  /** Number of the event that begins what this event ends, otherwise its own. */
  final int begin;

  private final int[] numbers;
  private final int index;

  /** Whether it is wanted, as long as there is a recording. */
  boolean enabled;

  final List<Trigger> triggers = new ArrayList<>();

  UserEvent(
      Definition.Subsystem subsystem,
      Definition.Event definition,
      int begin,
      int[] numbers,
      int index) {
    this.subsystem = subsystem;
    this.definition = definition;
    this.begin = begin;
    this.numbers = numbers;
    this.index = index;
  }

  /** {@code disk.ALLOC}. */
  String name() {
    return subsystem.name() + '.' + definition.name();
  }

  /** Lets the program record it, or not. */
  void show(int number) {
    numbers[index] = number;
  }
}
