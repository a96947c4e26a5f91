/** The part of a recording that somebody asks about, and going through its calls. */
@NullMarked
package dev.kymo.analysis.selection;

import org.jspecify.annotations.NullMarked;
