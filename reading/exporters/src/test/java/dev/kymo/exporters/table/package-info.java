@NullMarked
package dev.kymo.exporters.table;

import org.jspecify.annotations.NullMarked;
