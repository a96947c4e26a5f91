/** How often something happens when, how long it takes, and who has to do with whom. */
@NullMarked
package dev.kymo.analysis.statistics;

import org.jspecify.annotations.NullMarked;
