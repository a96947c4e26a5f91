/**
 * Sends a recording's directory as it grows. Runs in {@code kymo record --to} and {@code kymo
 * send}.
 */
@NullMarked
package dev.kymo.network.send;

import org.jspecify.annotations.NullMarked;
