/** Threads, calls and loss, rebuilt from the event streams of a recording. */
@NullMarked
package dev.kymo.model.calls;

import org.jspecify.annotations.NullMarked;
