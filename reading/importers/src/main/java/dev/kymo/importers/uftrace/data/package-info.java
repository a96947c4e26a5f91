/** Reads the files of a directory of uftrace; knows nothing of recordings. */
@NullMarked
package dev.kymo.importers.uftrace.data;

import org.jspecify.annotations.NullMarked;
