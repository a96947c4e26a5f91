/** A program worth looking at. */
@NullMarked
package dev.kymo.demo;

import org.jspecify.annotations.NullMarked;
