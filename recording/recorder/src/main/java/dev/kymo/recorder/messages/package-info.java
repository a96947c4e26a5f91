/** What goes through the program's sockets, and what it is called. */
@NullMarked
package dev.kymo.recorder.messages;

import org.jspecify.annotations.NullMarked;
