/**
 * What runs inside a recorded program. {@link dev.kymo.recorder.Probe} is the hot path; everything
 * else is called rarely. Nothing here may throw into the program, take a lock that the program can
 * see, park one of its threads, or leave its interrupt flag changed.
 */
@NullMarked
package dev.kymo.recorder;

import org.jspecify.annotations.NullMarked;
