/** Questions that many have, ready to be asked. */
@NullMarked
package dev.kymo.query.library;

import org.jspecify.annotations.NullMarked;
