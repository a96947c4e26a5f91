package dev.kymo.states;

import dev.kymo.format.SchedulerState;
import java.io.IOException;
import java.util.Arrays;

/** The names of the interrupts of one kind, on tracks of processors and of threads. */
final class InterruptLabels {
  private final KnownEvent event;
  private final Labels labels;
  private final String stem;
  private int[] onProcessor = {};
  private int[] onThread = {};

  InterruptLabels(KnownEvent event, Labels labels) {
    this.event = event;
    this.labels = labels;
    this.stem = event.stem();
  }

  /** The part that the names of begin and end share. */
  String stem() {
    return stem;
  }

  /** Looks at an interrupt's begin; the other methods are about the same interrupt. */
  int look(byte[] bytes, int at, int size) throws IOException {
    int key = event.interrupt(bytes, at);
    if (key >= onProcessor.length) {
      onProcessor = Arrays.copyOf(onProcessor, key + 1);
      onThread = Arrays.copyOf(onThread, key + 1);
    }
    if (onProcessor[key] == 0) {
      String name = event.interruptName(bytes, at, size);
      onProcessor[key] = labels.of(Labels.INTERRUPT, name);
      onThread[key] = labels.of(SchedulerState.INTERRUPTED, name);
    }
    return key;
  }

  int onProcessor(int key) {
    return onProcessor[key];
  }

  int onThread(int key) {
    return onThread[key];
  }
}
