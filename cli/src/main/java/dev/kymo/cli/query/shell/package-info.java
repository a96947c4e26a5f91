/** Where questions are asked one after the other. */
@NullMarked
package dev.kymo.cli.query.shell;

import org.jspecify.annotations.NullMarked;
