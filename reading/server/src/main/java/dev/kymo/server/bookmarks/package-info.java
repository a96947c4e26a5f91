/** Notes that people keep inside a recording. */
@NullMarked
package dev.kymo.server.bookmarks;

import org.jspecify.annotations.NullMarked;
