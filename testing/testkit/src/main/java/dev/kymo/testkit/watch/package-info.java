/**
 * Watches all tests of a virtual machine: what each class takes, and that none hangs. JUnit finds
 * {@link dev.kymo.testkit.watch.TestWatch} by itself where this module is on the class path.
 */
@NullMarked
package dev.kymo.testkit.watch;

import org.jspecify.annotations.NullMarked;
