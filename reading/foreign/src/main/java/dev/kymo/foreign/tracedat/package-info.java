/** Imports trace-cmd's trace.dat. */
@NullMarked
package dev.kymo.foreign.tracedat;

import org.jspecify.annotations.NullMarked;
