/** Formats of stacks: collapsed, speedscope and pprof. */
@NullMarked
package dev.kymo.exporters.stacks;

import org.jspecify.annotations.NullMarked;
