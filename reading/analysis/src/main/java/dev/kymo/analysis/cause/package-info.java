/** What threads did with their time, and why they did not run. */
@NullMarked
package dev.kymo.analysis.cause;

import org.jspecify.annotations.NullMarked;
