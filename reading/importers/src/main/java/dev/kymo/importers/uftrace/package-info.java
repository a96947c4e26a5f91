/** Data of uftrace: calls of functions of native programs. */
@NullMarked
package dev.kymo.importers.uftrace;

import org.jspecify.annotations.NullMarked;
