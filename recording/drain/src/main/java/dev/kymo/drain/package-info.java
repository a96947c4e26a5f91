/**
 * Moves full packets from the rings into the recording. Runs in {@code kymo record}, or in the
 * program where the agent records alone, with Java 17. Only this package writes the recording's
 * directory.
 */
@NullMarked
package dev.kymo.drain;

import org.jspecify.annotations.NullMarked;
