/**
 * The code that runs inside a recorded program. Nothing here may throw into the program, take a
 * lock that the program can see, park one of its threads, or leave its interrupt flag changed.
 *
 * <p>Each package uses only packages before it in this order: platform, ring, budget and
 * userevents, waits, and this root package, which puts them together.
 */
@NullMarked
package dev.kymo.recorder;

import org.jspecify.annotations.NullMarked;
