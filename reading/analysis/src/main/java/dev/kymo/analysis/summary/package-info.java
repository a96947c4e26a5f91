/** What methods, and recording itself, cost. */
@NullMarked
package dev.kymo.analysis.summary;

import org.jspecify.annotations.NullMarked;
