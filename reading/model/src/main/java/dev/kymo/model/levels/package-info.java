/** The calls of all tracks at ever coarser resolutions. */
@NullMarked
package dev.kymo.model.levels;

import org.jspecify.annotations.NullMarked;
