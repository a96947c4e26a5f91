/** From the text of a definition file to checked definitions. */
@NullMarked
package dev.kymo.events.parse;

import org.jspecify.annotations.NullMarked;
