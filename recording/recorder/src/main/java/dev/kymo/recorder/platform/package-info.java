/**
 * The parts of the JDK, of Linux and of the library in C that the recorder needs, and the means to
 * keep out of the program's way: its threads, its permissions, its messages.
 */
@NullMarked
package dev.kymo.recorder.platform;

import org.jspecify.annotations.NullMarked;
