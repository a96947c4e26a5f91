/** Commands about definitions of events. */
@NullMarked
package dev.kymo.cli.events;

import org.jspecify.annotations.NullMarked;
