/** Recordings made of recordings: a part of one, or several as one. */
@NullMarked
package dev.kymo.editing.slice;

import org.jspecify.annotations.NullMarked;
