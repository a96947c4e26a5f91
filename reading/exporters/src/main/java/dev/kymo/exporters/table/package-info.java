/** Rows of numbers in the order of time. */
@NullMarked
package dev.kymo.exporters.table;

import org.jspecify.annotations.NullMarked;
