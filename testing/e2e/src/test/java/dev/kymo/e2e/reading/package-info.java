/** What commands say of recordings. */
@NullMarked
package dev.kymo.e2e.reading;

import org.jspecify.annotations.NullMarked;
