/** The files of an OTF2 archive, byte by byte. */
@NullMarked
package dev.kymo.importers.otf2.archive;

import org.jspecify.annotations.NullMarked;
