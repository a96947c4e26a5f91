/** Trace logs of the operating system Barrelfish: from files, and from a live bfscope. */
@NullMarked
package dev.kymo.importers.barrelfish;

import org.jspecify.annotations.NullMarked;
