/**
 * Moves full packets from the rings into the recording. Runs in {@code kymo record}, or in the
 * program itself when only the agent was given. It alone writes the recording's directory.
 */
@NullMarked
package dev.kymo.recorder.drain;

import org.jspecify.annotations.NullMarked;
