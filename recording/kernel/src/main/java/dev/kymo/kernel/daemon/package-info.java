/**
 * Kernel events for everybody: a daemon that has the rights to take them, and its client. The
 * protocol is described in {@code docs/kernel-daemon.md}.
 */
@NullMarked
package dev.kymo.kernel.daemon;

import org.jspecify.annotations.NullMarked;
