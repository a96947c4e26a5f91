/** Measures what recording a call costs with the tools on this machine. */
@NullMarked
package dev.kymo.bench.peer;

import org.jspecify.annotations.NullMarked;
