/** Imports trace-cmd's trace.dat. */
@NullMarked
package dev.kymo.importers.tracedat;

import org.jspecify.annotations.NullMarked;
