/** Recordings as pictures. */
@NullMarked
package dev.kymo.exporters.picture;

import org.jspecify.annotations.NullMarked;
