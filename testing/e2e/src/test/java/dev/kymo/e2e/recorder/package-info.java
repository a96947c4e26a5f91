/** The recorder: how it begins, ends, survives, and leaves a program as it is. */
@NullMarked
package dev.kymo.e2e.recorder;

import org.jspecify.annotations.NullMarked;
