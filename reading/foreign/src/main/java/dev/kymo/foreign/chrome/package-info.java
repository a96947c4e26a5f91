/** Trace events of Chrome and of everything that writes its JSON. */
@NullMarked
package dev.kymo.foreign.chrome;

import org.jspecify.annotations.NullMarked;
