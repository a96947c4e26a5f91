/**
 * The layout of a recording, and of the memory that it passes through. Every layout has one class
 * with its diagram; nothing else computes offsets. All integers are little-endian.
 */
@NullMarked
package dev.kymo.format;

import org.jspecify.annotations.NullMarked;
