/** What is recorded of Java programs. */
@NullMarked
package dev.kymo.e2e.jvm;

import org.jspecify.annotations.NullMarked;
