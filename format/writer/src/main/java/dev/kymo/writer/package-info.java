/**
 * The stream files of a recording that are written from outside the traced program, each by one
 * writer.
 */
@NullMarked
package dev.kymo.writer;

import org.jspecify.annotations.NullMarked;
