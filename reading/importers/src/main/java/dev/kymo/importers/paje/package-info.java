/** Traces of Pajé and of everything that writes its format. */
@NullMarked
package dev.kymo.importers.paje;

import org.jspecify.annotations.NullMarked;
