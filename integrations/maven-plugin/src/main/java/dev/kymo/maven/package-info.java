/** The Maven plugin that records tests, and compares recordings. */
@NullMarked
package dev.kymo.maven;

import org.jspecify.annotations.NullMarked;
