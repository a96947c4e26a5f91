/** What the calls of methods cost: sums, counted calls, corrections. */
@NullMarked
package dev.kymo.analysis.costs;

import org.jspecify.annotations.NullMarked;
