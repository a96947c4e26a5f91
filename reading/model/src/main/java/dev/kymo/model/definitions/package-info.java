/** What a recording says of its processes, threads, methods, events and clock. */
@NullMarked
package dev.kymo.model.definitions;

import org.jspecify.annotations.NullMarked;
