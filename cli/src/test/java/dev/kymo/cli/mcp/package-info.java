@NullMarked
package dev.kymo.cli.mcp;

import org.jspecify.annotations.NullMarked;
