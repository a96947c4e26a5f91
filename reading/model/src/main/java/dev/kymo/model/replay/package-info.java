/** How to read any part of any thread again. */
@NullMarked
package dev.kymo.model.replay;

import org.jspecify.annotations.NullMarked;
