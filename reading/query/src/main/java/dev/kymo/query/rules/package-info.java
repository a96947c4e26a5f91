/** Rules that a recording has to keep. */
@NullMarked
package dev.kymo.query.rules;

import org.jspecify.annotations.NullMarked;
