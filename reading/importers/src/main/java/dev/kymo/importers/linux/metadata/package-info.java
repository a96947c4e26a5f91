/**
 * What files of trace-cmd and perf say of a kernel: the formats of its events, its functions, texts
 * that it prints, names of threads. The bytes of both are the same.
 */
@NullMarked
package dev.kymo.importers.linux.metadata;

import org.jspecify.annotations.NullMarked;
