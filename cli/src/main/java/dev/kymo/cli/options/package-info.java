/** Options that several commands have: the recording, a part of it, the format. */
@NullMarked
package dev.kymo.cli.options;

import org.jspecify.annotations.NullMarked;
