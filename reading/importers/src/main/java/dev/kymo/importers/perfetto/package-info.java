/** Perfetto's traces: events on tracks, the kernel's events, names of processes and threads. */
@NullMarked
package dev.kymo.importers.perfetto;

import org.jspecify.annotations.NullMarked;
