/** How the clocks of two recordings are related. */
@NullMarked
package dev.kymo.analysis.clocks;

import org.jspecify.annotations.NullMarked;
