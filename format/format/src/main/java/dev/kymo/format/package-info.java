/**
 * What lies where in a recording and in the memory it passes through. Every layout has one class
 * with its diagram; nothing else computes offsets. All integers are little-endian.
 */
@NullMarked
package dev.kymo.format;

import org.jspecify.annotations.NullMarked;
