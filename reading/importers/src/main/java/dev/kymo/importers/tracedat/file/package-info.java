/** Reads the bytes of trace.dat: its sections, its pages and the events in them. */
@NullMarked
package dev.kymo.importers.tracedat.file;

import org.jspecify.annotations.NullMarked;
