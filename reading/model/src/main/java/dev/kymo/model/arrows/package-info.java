/** Who let whom go on, who sent what to whom, and counters, over a whole recording. */
@NullMarked
package dev.kymo.model.arrows;

import org.jspecify.annotations.NullMarked;
