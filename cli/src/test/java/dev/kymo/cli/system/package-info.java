/** Tests of the package. */
@NullMarked
package dev.kymo.cli.system;

import org.jspecify.annotations.NullMarked;
