/** Tables of comma-separated values, one file each. */
@NullMarked
package dev.kymo.exporters.csv;

import org.jspecify.annotations.NullMarked;
