/**
 * The methods that a program calls to record its own events, with names made up at run time or
 * generated.
 */
@NullMarked
package dev.kymo.api;

import org.jspecify.annotations.NullMarked;
