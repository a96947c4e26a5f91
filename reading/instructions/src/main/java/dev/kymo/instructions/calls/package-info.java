/** The calls and irregular points of threads, found in the blocks that they executed. */
@NullMarked
package dev.kymo.instructions.calls;

import org.jspecify.annotations.NullMarked;
