/** The command {@code kymo}: arguments, text output, exit codes. */
@NullMarked
package dev.kymo.cli;

import org.jspecify.annotations.NullMarked;
