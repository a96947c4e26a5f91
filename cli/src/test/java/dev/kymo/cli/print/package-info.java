/** Tests of the package. */
@NullMarked
package dev.kymo.cli.print;

import org.jspecify.annotations.NullMarked;
