/** Takes lines of {@code perf script} apart. */
@NullMarked
package dev.kymo.importers.perftext.lines;

import org.jspecify.annotations.NullMarked;
