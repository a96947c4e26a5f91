/** The calls that were counted and not recorded one by one. */
@NullMarked
package dev.kymo.model.counts;

import org.jspecify.annotations.NullMarked;
