/** The installed program, used as its users do. */
@NullMarked
package dev.kymo.it;

import org.jspecify.annotations.NullMarked;
