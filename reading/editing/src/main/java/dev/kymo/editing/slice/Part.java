package dev.kymo.editing.slice;

import dev.kymo.model.definitions.RecordedDefinitions;
import java.util.function.IntUnaryOperator;

/**
 * One of several recordings that are merged.
 *
 * @param number among them, from 0
 * @param clock how its clock becomes that of all
 * @param definitions what it defines
 * @param processes gives its processes their new numbers; 0 stays 0
 * @param kinds gives its kinds of kernel events their new numbers
 */
record Part(
    int number,
    RecordingMerge.Source source,
    JoinedClock clock,
    RecordedDefinitions definitions,
    IntUnaryOperator processes,
    IntUnaryOperator kinds) {
  int process(int own) {
    return own == 0 ? 0 : processes.applyAsInt(own);
  }
}
