/** The metadata file of a CTF trace: its text, taken out of packets where it lies in packets. */
@NullMarked
package dev.kymo.importers.ctf.metadata;

import org.jspecify.annotations.NullMarked;
