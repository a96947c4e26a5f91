/**
 * Computes from kernel events the states of threads and what processors did, as calls on tracks,
 * and writes them while recording.
 */
@NullMarked
package dev.kymo.states;

import org.jspecify.annotations.NullMarked;
