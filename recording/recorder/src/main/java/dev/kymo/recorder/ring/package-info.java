/**
 * The code that runs on the threads of the program: the probes, the rings and counters they write,
 * and the slow path. {@link dev.kymo.recorder.ring.Probe} is the hot path; everything else is
 * called rarely.
 */
@NullMarked
package dev.kymo.recorder.ring;

import org.jspecify.annotations.NullMarked;
