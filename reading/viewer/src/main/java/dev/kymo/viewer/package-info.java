/** The browser viewer's files, as built from TypeScript. */
@NullMarked
package dev.kymo.viewer;

import org.jspecify.annotations.NullMarked;
