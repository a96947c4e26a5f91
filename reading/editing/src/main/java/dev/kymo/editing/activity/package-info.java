/** Tracks of activities as a recording of their own, beside the one that they were found in. */
@NullMarked
package dev.kymo.editing.activity;

import org.jspecify.annotations.NullMarked;
