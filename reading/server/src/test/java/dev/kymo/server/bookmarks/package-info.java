/** Tests of the package. */
@NullMarked
package dev.kymo.server.bookmarks;

import org.jspecify.annotations.NullMarked;
