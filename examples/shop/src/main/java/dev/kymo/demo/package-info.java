/** A sample program to record and look at. */
@NullMarked
package dev.kymo.demo;

import org.jspecify.annotations.NullMarked;
