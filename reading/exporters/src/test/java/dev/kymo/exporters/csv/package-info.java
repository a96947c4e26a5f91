@NullMarked
package dev.kymo.exporters.csv;

import org.jspecify.annotations.NullMarked;
