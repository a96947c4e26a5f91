/** A recording as a picture needs it: tracks on one time axis, any window at any resolution. */
@NullMarked
package dev.kymo.model.timeline;

import org.jspecify.annotations.NullMarked;
