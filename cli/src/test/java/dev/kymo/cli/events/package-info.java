/** Tests of the package. */
@NullMarked
package dev.kymo.cli.events;

import org.jspecify.annotations.NullMarked;
