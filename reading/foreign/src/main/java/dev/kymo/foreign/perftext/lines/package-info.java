/** Takes lines of {@code perf script} apart. */
@NullMarked
package dev.kymo.foreign.perftext.lines;

import org.jspecify.annotations.NullMarked;
