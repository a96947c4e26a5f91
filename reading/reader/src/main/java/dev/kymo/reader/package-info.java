/** Opens recordings, checks everything, and streams their events. */
@NullMarked
package dev.kymo.reader;

import org.jspecify.annotations.NullMarked;
