/** The C library that writes OTF2 archives, as far as exports need it. */
@NullMarked
package dev.kymo.exporters.otf2.library;

import org.jspecify.annotations.NullMarked;
