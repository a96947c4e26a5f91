@NullMarked
package dev.kymo.symbols;

import org.jspecify.annotations.NullMarked;
