/** Tests of the package. */
@NullMarked
package dev.kymo.cli.view;

import org.jspecify.annotations.NullMarked;
