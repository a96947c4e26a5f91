/**
 * What follows from kernel events: the states of threads and what processors did, as calls on
 * tracks, written while they are recorded.
 */
@NullMarked
package dev.kymo.kernel.states;

import org.jspecify.annotations.NullMarked;
