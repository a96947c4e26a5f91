/** Recordings as tables: which there are, and their rows. */
@NullMarked
package dev.kymo.query.tables;

import org.jspecify.annotations.NullMarked;
