/** Parts of a recording as files to download. */
@NullMarked
package dev.kymo.server.export;

import org.jspecify.annotations.NullMarked;
