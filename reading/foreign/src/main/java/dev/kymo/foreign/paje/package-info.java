/** Traces of Pajé and of everything that writes its format. */
@NullMarked
package dev.kymo.foreign.paje;

import org.jspecify.annotations.NullMarked;
