/** Data of uftrace: calls of functions of native programs. */
@NullMarked
package dev.kymo.foreign.uftrace;

import org.jspecify.annotations.NullMarked;
