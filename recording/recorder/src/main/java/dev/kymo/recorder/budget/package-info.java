/**
 * Keeps the cost of the probes within the budget: measures them, finds the methods that cost too
 * much, and has them recorded in less detail. It never runs on a thread of the program.
 */
@NullMarked
package dev.kymo.recorder.budget;

import org.jspecify.annotations.NullMarked;
