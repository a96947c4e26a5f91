/** What threads did with locks: who had which, who waited, in which order they were taken. */
@NullMarked
package dev.kymo.analysis.locks;

import org.jspecify.annotations.NullMarked;
