/** What is recorded of native programs, and that they do as without Kymo. */
@NullMarked
package dev.kymo.e2e.code;

import org.jspecify.annotations.NullMarked;
