/** Tests of the package. */
@NullMarked
package dev.kymo.cli.options;

import org.jspecify.annotations.NullMarked;
