/** One event after the other, as filters and rules of users see it. */
@NullMarked
package dev.kymo.analysis.filter;

import org.jspecify.annotations.NullMarked;
