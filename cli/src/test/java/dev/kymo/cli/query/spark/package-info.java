/** Tests of the package. */
@NullMarked
package dev.kymo.cli.query.spark;

import org.jspecify.annotations.NullMarked;
