/** Tests of the command line. */
@NullMarked
package dev.kymo.cli;

import org.jspecify.annotations.NullMarked;
