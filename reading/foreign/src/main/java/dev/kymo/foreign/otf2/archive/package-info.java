/** The files of an OTF2 archive, byte by byte. */
@NullMarked
package dev.kymo.foreign.otf2.archive;

import org.jspecify.annotations.NullMarked;
