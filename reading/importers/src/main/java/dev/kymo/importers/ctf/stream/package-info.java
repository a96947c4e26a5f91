/**
 * Streams of CTF: types compiled into readers, packets and events decoded, streams merged by time.
 */
@NullMarked
package dev.kymo.importers.ctf.stream;

import org.jspecify.annotations.NullMarked;
