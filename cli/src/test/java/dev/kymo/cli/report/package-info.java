/** Tests of the package. */
@NullMarked
package dev.kymo.cli.report;

import org.jspecify.annotations.NullMarked;
