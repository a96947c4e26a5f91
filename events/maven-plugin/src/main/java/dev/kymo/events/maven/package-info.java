/** The Maven plugin that turns definitions of events into Java. */
@NullMarked
package dev.kymo.events.maven;

import org.jspecify.annotations.NullMarked;
