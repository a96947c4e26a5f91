/** Where calls and events are. */
@NullMarked
package dev.kymo.analysis.search;

import org.jspecify.annotations.NullMarked;
