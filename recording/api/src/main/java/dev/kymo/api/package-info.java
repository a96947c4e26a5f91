/** What a program calls to record events of its own: names made up at run time, or generated. */
@NullMarked
package dev.kymo.api;

import org.jspecify.annotations.NullMarked;
