/** Every instruction: of programs in QEMU, and of machines. */
@NullMarked
package dev.kymo.e2e.instructions;

import org.jspecify.annotations.NullMarked;
