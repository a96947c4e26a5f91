/** Tests the installed program as its users use it. */
@NullMarked
package dev.kymo.e2e;

import org.jspecify.annotations.NullMarked;
