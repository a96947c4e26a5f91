/** Trace events of Chrome and of everything that writes its JSON. */
@NullMarked
package dev.kymo.importers.chrome;

import org.jspecify.annotations.NullMarked;
