/** Rules that no compiler checks. */
@NullMarked
package dev.kymo.architecture;

import org.jspecify.annotations.NullMarked;
