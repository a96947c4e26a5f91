/** Tests of the package. */
@NullMarked
package dev.kymo.cli.query.shell;

import org.jspecify.annotations.NullMarked;
