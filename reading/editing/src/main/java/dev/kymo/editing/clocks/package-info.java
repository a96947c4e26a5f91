/** How the clocks of two recordings are related. */
@NullMarked
package dev.kymo.editing.clocks;

import org.jspecify.annotations.NullMarked;
