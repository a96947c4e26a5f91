/**
 * The recorder's process: runs a command or attaches to a process, records it, and ends the
 * recording. It sees both halves, and nothing of the command line.
 */
@NullMarked
package dev.kymo.session;

import org.jspecify.annotations.NullMarked;
