/** Commands that explain a part of a recording: {@code why}. */
@NullMarked
package dev.kymo.cli.query;

import org.jspecify.annotations.NullMarked;
