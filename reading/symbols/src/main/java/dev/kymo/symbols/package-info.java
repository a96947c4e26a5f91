/** Names, files and lines of native functions. */
@NullMarked
package dev.kymo.symbols;

import org.jspecify.annotations.NullMarked;
