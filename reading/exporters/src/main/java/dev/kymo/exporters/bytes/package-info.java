/** How the files of exports are written. */
@NullMarked
package dev.kymo.exporters.bytes;

import org.jspecify.annotations.NullMarked;
