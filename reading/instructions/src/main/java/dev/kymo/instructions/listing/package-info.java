/** Instructions, what was wanted at them, and how often what was executed, for people to read. */
@NullMarked
package dev.kymo.instructions.listing;

import org.jspecify.annotations.NullMarked;
