/** The program's own events: their numbers, which of them are recorded, and what they trigger. */
@NullMarked
package dev.kymo.recorder.userevents;

import org.jspecify.annotations.NullMarked;
