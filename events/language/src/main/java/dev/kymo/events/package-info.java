/** Definitions of a program's own events, as a definition file gives them, complete and checked. */
@NullMarked
package dev.kymo.events;

import org.jspecify.annotations.NullMarked;
