@NullMarked
package dev.kymo.kernel.daemon;

import org.jspecify.annotations.NullMarked;
