/** Imports the text of {@code perf script}: samples with their stacks, tracepoints. */
@NullMarked
package dev.kymo.foreign.perftext;

import org.jspecify.annotations.NullMarked;
