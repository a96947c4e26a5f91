/** Commands to recorders that run already, in other processes. */
@NullMarked
package dev.kymo.session.control;

import org.jspecify.annotations.NullMarked;
