/** Imports the text of {@code perf script}: samples with their stacks, tracepoints. */
@NullMarked
package dev.kymo.importers.perftext;

import org.jspecify.annotations.NullMarked;
