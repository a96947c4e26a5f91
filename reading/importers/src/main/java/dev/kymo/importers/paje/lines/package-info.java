/**
 * Reads the lines of Pajé's format by the definitions in its header; knows nothing of recordings.
 */
@NullMarked
package dev.kymo.importers.paje.lines;

import org.jspecify.annotations.NullMarked;
