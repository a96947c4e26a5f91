/** Makes checked definitions from the text of a definition file. */
@NullMarked
package dev.kymo.events.parse;

import org.jspecify.annotations.NullMarked;
