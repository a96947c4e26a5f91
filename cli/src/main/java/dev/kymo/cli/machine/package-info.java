/** {@code kymo machine}: Linux with one program in a machine, every instruction of both. */
@NullMarked
package dev.kymo.cli.machine;

import org.jspecify.annotations.NullMarked;
