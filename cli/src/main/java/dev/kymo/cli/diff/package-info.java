/** How recordings differ. */
@NullMarked
package dev.kymo.cli.diff;

import org.jspecify.annotations.NullMarked;
