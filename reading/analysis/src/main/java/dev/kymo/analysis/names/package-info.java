/** Names that users give, and patterns of names that they ask for. */
@NullMarked
package dev.kymo.analysis.names;

import org.jspecify.annotations.NullMarked;
