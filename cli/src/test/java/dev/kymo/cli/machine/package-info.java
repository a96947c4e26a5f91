/** Tests of the package. */
@NullMarked
package dev.kymo.cli.machine;

import org.jspecify.annotations.NullMarked;
