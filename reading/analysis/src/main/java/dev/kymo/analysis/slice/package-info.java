/** A part of a recording as a recording of its own. */
@NullMarked
package dev.kymo.analysis.slice;

import org.jspecify.annotations.NullMarked;
