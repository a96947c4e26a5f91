/** Reads the files of a directory of uftrace; knows nothing of recordings. */
@NullMarked
package dev.kymo.foreign.uftrace.data;

import org.jspecify.annotations.NullMarked;
