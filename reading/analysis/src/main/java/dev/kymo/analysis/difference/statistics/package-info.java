/** Whether two sets of numbers differ, and by how much. */
@NullMarked
package dev.kymo.analysis.difference.statistics;

import org.jspecify.annotations.NullMarked;
