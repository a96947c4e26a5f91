/** The critical path: what decided how long something took, across threads. */
@NullMarked
package dev.kymo.analysis.path;

import org.jspecify.annotations.NullMarked;
