/**
 * Moves full packets from the rings into the recording. Runs in {@code kymo record}. Only this
 * package writes the recording's directory.
 */
@NullMarked
package dev.kymo.drain;

import org.jspecify.annotations.NullMarked;
