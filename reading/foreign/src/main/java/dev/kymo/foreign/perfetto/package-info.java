/** Perfetto's traces: events on tracks, the kernel's events, names of processes and threads. */
@NullMarked
package dev.kymo.foreign.perfetto;

import org.jspecify.annotations.NullMarked;
