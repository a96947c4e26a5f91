/** What goes through the program's sockets. */
@NullMarked
package dev.kymo.recorder.messages;

import org.jspecify.annotations.NullMarked;
