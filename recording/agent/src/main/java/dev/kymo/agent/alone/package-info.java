/** Records without {@code kymo record}: the recording is written by a thread of the program. */
@NullMarked
package dev.kymo.agent.alone;

import org.jspecify.annotations.NullMarked;
