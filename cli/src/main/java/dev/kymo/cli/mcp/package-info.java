/** Answers to programs that ask, by the Model Context Protocol. */
@NullMarked
package dev.kymo.cli.mcp;

import org.jspecify.annotations.NullMarked;
