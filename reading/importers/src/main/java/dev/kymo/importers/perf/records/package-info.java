/** Reads the bytes of perf.data: attributes, features, records. It knows nothing of recordings. */
@NullMarked
package dev.kymo.importers.perf.records;

import org.jspecify.annotations.NullMarked;
