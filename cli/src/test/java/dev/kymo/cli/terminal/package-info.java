/** Tests of the package. */
@NullMarked
package dev.kymo.cli.terminal;

import org.jspecify.annotations.NullMarked;
