/** Who called whom. */
@NullMarked
package dev.kymo.analysis.tree;

import org.jspecify.annotations.NullMarked;
