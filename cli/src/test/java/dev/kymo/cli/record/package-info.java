/** Tests of the package. */
@NullMarked
package dev.kymo.cli.record;

import org.jspecify.annotations.NullMarked;
