/** Writes Java, C and JSON from definitions. */
@NullMarked
package dev.kymo.events.generate;

import org.jspecify.annotations.NullMarked;
