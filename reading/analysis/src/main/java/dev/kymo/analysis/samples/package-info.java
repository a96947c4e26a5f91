/** Where threads were when samples were taken. */
@NullMarked
package dev.kymo.analysis.samples;

import org.jspecify.annotations.NullMarked;
