/** Recordings made up for tests; other modules use it through this module's test-jar. */
@NullMarked
package dev.kymo.reader.testing;

import org.jspecify.annotations.NullMarked;
