/** Archives of OTF2, which Score-P and other tracers of parallel programs write. */
@NullMarked
package dev.kymo.importers.otf2;

import org.jspecify.annotations.NullMarked;
