/** What a command prints and how it ends: text that does no harm, tables, numbers, errors. */
@NullMarked
package dev.kymo.cli.terminal;

import org.jspecify.annotations.NullMarked;
