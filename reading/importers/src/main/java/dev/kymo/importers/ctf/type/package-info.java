/**
 * What the metadata of a CTF trace says: its clocks, streams, events, and the types of their
 * fields.
 */
@NullMarked
package dev.kymo.importers.ctf.type;

import org.jspecify.annotations.NullMarked;
