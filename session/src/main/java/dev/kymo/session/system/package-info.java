/**
 * The operating system and this installation, as the JDK does not show them: programs, signals,
 * bytes of arguments.
 */
@NullMarked
package dev.kymo.session.system;

import org.jspecify.annotations.NullMarked;
