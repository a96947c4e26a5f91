/** What is collected of all calls of a recording in one walk, and kept. */
@NullMarked
package dev.kymo.analysis.whole;

import org.jspecify.annotations.NullMarked;
