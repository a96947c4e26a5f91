/** Which call of one recording is which call of another. */
@NullMarked
package dev.kymo.analysis.difference.match;

import org.jspecify.annotations.NullMarked;
