/**
 * Tracks of the waits of threads, of the virtual machine's activities, and of the weaving of
 * classes.
 */
@NullMarked
package dev.kymo.recorder.waits;

import org.jspecify.annotations.NullMarked;
