/**
 * For libraries that record the program they are in, or one that they start: the agent, and the
 * installed {@code kymo}, which is asked what is in the recording.
 */
@NullMarked
package dev.kymo.embedded;

import org.jspecify.annotations.NullMarked;
