/**
 * The stream files of a recording that are written from outside a traced program, as their only
 * writer sees them.
 */
@NullMarked
package dev.kymo.writer;

import org.jspecify.annotations.NullMarked;
