/** The metadata of CTF 2, JSON objects one after the other, made into types. */
@NullMarked
package dev.kymo.importers.ctf.json;

import org.jspecify.annotations.NullMarked;
