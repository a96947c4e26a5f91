/** What the tests of several modules share: recordings made up for them, and the source tree. */
@NullMarked
package dev.kymo.testkit;

import org.jspecify.annotations.NullMarked;
