/** {@code kymo doctor}: what can be recorded on a machine, and of a process that runs. */
@NullMarked
package dev.kymo.cli.doctor;

import org.jspecify.annotations.NullMarked;
