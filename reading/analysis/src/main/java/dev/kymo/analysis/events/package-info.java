/** The events of programs, and lists of everything that happened. */
@NullMarked
package dev.kymo.analysis.events;

import org.jspecify.annotations.NullMarked;
