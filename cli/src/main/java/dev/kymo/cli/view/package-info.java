/** Commands that show a recording in a browser, and what they prepare: indexes, slices, pages. */
@NullMarked
package dev.kymo.cli.view;

import org.jspecify.annotations.NullMarked;
