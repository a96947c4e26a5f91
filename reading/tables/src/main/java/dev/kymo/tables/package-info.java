/** Definitions of tables: columns with units, meanings, and how they say what is not known. */
@NullMarked
package dev.kymo.tables;

import org.jspecify.annotations.NullMarked;
