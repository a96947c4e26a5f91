/** Finds out what the program's threads wait for, and what the virtual machine does. */
@NullMarked
package dev.kymo.agent.waits;

import org.jspecify.annotations.NullMarked;
