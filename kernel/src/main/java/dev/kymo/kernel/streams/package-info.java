/**
 * The stream files of kernel events and of what follows from them, as their only writer sees them.
 */
@NullMarked
package dev.kymo.kernel.streams;

import org.jspecify.annotations.NullMarked;
