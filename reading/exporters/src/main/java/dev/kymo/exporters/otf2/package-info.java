/** OTF2 archives, for Vampir and others. */
@NullMarked
package dev.kymo.exporters.otf2;

import org.jspecify.annotations.NullMarked;
