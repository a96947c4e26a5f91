/** The metadata language of CTF 1.8: parsed, checked, and made into types. */
@NullMarked
package dev.kymo.importers.ctf.tsdl;

import org.jspecify.annotations.NullMarked;
