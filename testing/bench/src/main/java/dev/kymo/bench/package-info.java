/** Programs that measure; {@code bench/README.md} says how, and what came out. */
@NullMarked
package dev.kymo.bench;

import org.jspecify.annotations.NullMarked;
