/** Programs that measure; {@code testing/bench/README.md} says how, and has the results. */
@NullMarked
package dev.kymo.bench;

import org.jspecify.annotations.NullMarked;
